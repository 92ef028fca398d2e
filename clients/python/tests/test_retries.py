"""When the clients repeat a request, and what they raise. The server answers by a script."""

from __future__ import annotations

import socket
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from conftest import KEY, Behaviour, Run, Script, free_port

from generate import document
from wirebird import Wirebird, WirebirdError, errors
from wirebird.errors import NoAnswerError, SendUnknownError, UnexpectedAnswerError

SENT = {"id": "msg_1", "to": "4915228817386@c.us", "type": "text", "status": "sent"}


def answer(status: int, body: str, **headers: str) -> Behaviour:
    def write(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        content = body.encode()
        for name, value in {"content-length": str(len(content)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return write


def refusal(status: int, code: str, **headers: str) -> Behaviour:
    body = f'{{"success": false, "error": "Refused with {status}."}}'
    return answer(status, body, x_request_id="req_1", x_error_code=code, **headers)


SENT_BODY = '{"success": true, "data": {"id": "msg_1", "to": "4915228817386@c.us", "type": "text", "status": "sent"}}'
SENDS = answer(200, SENT_BODY, x_request_id="req_1")
REPLAYS = answer(200, SENT_BODY, x_request_id="req_1", idempotency_replayed="true")
UNKNOWN = refusal(502, "send_unknown", x_message_id="msg_1", x_send_outcome="unknown")
BUSY = refusal(429, "rate_limited", retry_after="1")
GATEWAY = answer(502, "<h1>Bad gateway</h1>")


def lost(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def cut_off(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nx-request-id: r\r\ncontent-length: 100\r\n\r\n{"success": true, "da')
    lost(handler)


def hangs(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.recv(1)


def send(wb: Any) -> Any:
    return wb.messages.send_text(to="4915228817386", body="Zoë’s order is ready 🐦")


def refused(run: Run, base_url: str, use: Any = send, **options: Any) -> WirebirdError:
    with pytest.raises(WirebirdError) as caught:
        run(base_url, use, **options)
    return caught.value


def test_a_send_is_repeated_with_the_same_key_and_bytes_until_it_is_answered(api: Script, run: Run) -> None:
    base_url = api.answers(
        BUSY, refusal(503, "stopping", retry_after="1"), lost, cut_off, GATEWAY, SENDS
    )
    result = run(base_url, send)
    assert (result.id, result.status) == ("msg_1", "sent")
    assert len(api.seen) == 6
    assert {one.path for one in api.seen} == {"/v1/messages/text"}
    assert len({(one.body, one.headers["idempotency-key"]) for one in api.seen}) == 1
    assert api.seen[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("body", ["", SENT_BODY[:40]])
def test_a_send_is_repeated_after_a_success_whose_body_is_incomplete(api: Script, run: Run, body: str) -> None:
    cut = answer(200, body, x_request_id="req_1", x_message_id="msg_1", content_type="application/json")
    base_url = api.answers(cut, REPLAYS)
    assert run(base_url, send).replayed
    assert len({(one.body, one.headers["idempotency-key"]) for one in api.seen}) == 1
    base_url = api.answers(cut)
    error = refused(run, base_url, max_attempts=1)
    assert (error.code, error.may_be_sent, error.message_id) == ("no_answer", True, "msg_1")


def test_a_message_that_has_expired_is_not_posted_again(api: Script, run: Run) -> None:
    expired = refusal(429, "deadline_passed", retry_after="2", x_send_outcome="not_sent")

    def expiring(wb: Any, **more: Any) -> Any:
        return wb.messages.send_text(to="4915228817386", body="Code 1234", expires_in_seconds=1, **more)

    error = refused(run, api.answers(expired, SENDS), expiring)
    assert (error.code, error.may_be_sent, len(api.seen)) == ("deadline_passed", False, 1)
    scheduled = "2031-05-01T12:00:00Z"
    assert run(api.answers(expired, SENDS), lambda wb: expiring(wb, send_at=scheduled)).status == "sent"


def test_a_result_and_an_error_say_whether_the_message_is_of_an_earlier_request(api: Script, run: Run) -> None:
    assert run(api.answers(SENDS), send).replayed is False
    assert run(api.answers(lost, REPLAYS), send).replayed is True
    assert refused(run, api.answers(UNKNOWN)).replayed is False
    assert refused(run, api.answers(refusal(502, "send_unknown", idempotency_replayed="true"))).replayed is True


def test_an_attempt_without_an_answer_ends_after_its_time(api: Script, run: Run) -> None:
    assert run(api.answers(hangs, SENDS), send, attempt_timeout_seconds=0.3).id == "msg_1"
    assert len({one.headers["idempotency-key"] for one in api.seen}) == 1


def test_retry_after_is_waited_for(api: Script, run: Run) -> None:
    began = time.monotonic()
    run(api.answers(BUSY, SENDS), send)
    assert time.monotonic() - began >= 1


def test_each_call_makes_a_key_and_a_given_key_is_used(api: Script, run: Run) -> None:
    base_url = api.answers(SENDS)
    run(base_url, send)
    run(base_url, send)
    run(base_url, lambda wb: wb.messages.send_text(to="4915228817386", body="Hi", idempotency_key="order-1042"))
    keys = [one.headers["idempotency-key"] for one in api.seen]
    assert len(set(keys)) == 3
    assert keys[2] == "order-1042"


def test_unknown_is_never_repeated(api: Script, run: Run) -> None:
    base_url = api.answers(UNKNOWN)
    error = refused(run, base_url)
    assert isinstance(error, SendUnknownError)
    assert (error.may_be_sent, error.message_id, len(api.seen)) == (True, "msg_1", 1)
    assert error.idempotency_key == api.seen[0].headers["idempotency-key"]


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "invalid_parameters"), (401, "unauthorized"), (409, "not_connected"), (502, "send_failed")],
)
def test_a_refusal_without_retry_after_is_raised_at_once(api: Script, run: Run, status: int, code: str) -> None:
    error = refused(run, api.answers(refusal(status, code, x_send_outcome="not_sent")))
    assert str(error) == f"Refused with {status}."
    assert (error.status, error.code, error.request_id) == (status, code, "req_1")
    assert (error.may_be_sent, len(api.seen)) == (False, 1)


def test_a_retry_after_that_is_too_long_is_raised_at_once(api: Script, run: Run) -> None:
    error = refused(run, api.answers(refusal(429, "new_contacts", retry_after="7200", x_limit="new-contacts")))
    assert isinstance(error, errors.NewContactsError)
    assert (error.retry_after_seconds, error.limit, len(api.seen)) == (7200, "new-contacts", 1)


def test_the_client_gives_up_after_its_attempts(api: Script, run: Run) -> None:
    error = refused(run, api.answers(lost), max_attempts=3)
    assert isinstance(error, NoAnswerError)
    assert (error.code, error.may_be_sent, len(api.seen)) == ("no_answer", True, 3)
    assert error.idempotency_key == api.seen[0].headers["idempotency-key"]


def test_a_refusal_after_a_lost_answer_does_not_say_that_nothing_was_sent(api: Script, run: Run) -> None:
    assert refused(run, api.answers(lost, refusal(401, "unauthorized"))).may_be_sent
    named = refusal(502, "send_failed", x_message_id="msg_1", x_send_outcome="not_sent")
    assert not refused(run, api.answers(lost, named)).may_be_sent


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, "unauthorized"), (402, "plan_inactive"), (400, "invalid_parameters"), (429, "rate_limited")],
)
def test_a_refused_send_is_not_sent_only_if_the_answer_says_so(api: Script, run: Run, status: int, code: str) -> None:
    def named(wb: Any) -> Any:
        return wb.messages.send_text(to="4915228817386", body="Hi", idempotency_key="order-1042")

    assert not refused(run, api.answers(refusal(status, code, x_send_outcome="not_sent")), named).may_be_sent
    # A program that repeats after a crash: its earlier message may have been sent.
    assert refused(run, api.answers(refusal(status, code)), named).may_be_sent
    # No earlier call has used a key that this call made.
    assert not refused(run, api.answers(refusal(status, code))).may_be_sent


def test_a_connection_that_is_refused_sent_nothing(run: Run) -> None:
    error = refused(run, f"http://127.0.0.1:{free_port()}", max_attempts=2)
    assert (error.code, error.may_be_sent) == ("no_answer", False)


def test_an_empty_id_as_a_dry_run_has_does_not_read_the_list_instead(api: Script, run: Run) -> None:
    base_url = api.answers(answer(200, '{"success": true, "data": {"messages": [], "next": null}}', x_request_id="r"))
    for use in (
        lambda wb: wb.messages.get(""),
        lambda wb: wb.messages.wait(""),
        lambda wb: wb.messages.cancel(""),
        lambda wb: wb.webhooks.delete(""),
    ):
        with pytest.raises(ValueError, match="id is empty"):
            run(base_url, use)
    assert api.seen == []


@pytest.mark.parametrize("mode", ["Async", -1, 1.5, True])
def test_a_mode_that_does_not_exist_is_refused(api: Script, run: Run, mode: Any) -> None:
    base_url = api.answers(SENDS)
    with pytest.raises(ValueError, match="mode must be"):
        run(base_url, lambda wb: wb.messages.send_text(to="4915228817386", body="Hi", mode=mode))
    assert api.seen == []


def test_what_cannot_be_done_twice_is_not_repeated_after_a_lost_answer(api: Script, run: Run) -> None:
    error = refused(run, api.answers(lost), lambda wb: wb.webhooks.create(url="https://example.com/hook"))
    assert isinstance(error, NoAnswerError)
    assert len(api.seen) == 1
    read = answer(200, '{"success": true, "data": {"webhooks": []}}', x_request_id="req_1")
    assert run(api.answers(lost, lost, read), lambda wb: wb.webhooks.list()) == []


def test_another_server_does_not_get_the_key_and_is_not_believed(api: Script, run: Run) -> None:
    elsewhere = answer(307, "", location=f"{api.base_url}/elsewhere")
    error = refused(run, api.answers(elsewhere))
    assert isinstance(error, UnexpectedAnswerError)
    assert [one.path for one in api.seen] == ["/v1/messages/text"]
    assert isinstance(refused(run, api.answers(answer(200, '{"success": true, "data": {}}'))), UnexpectedAnswerError)


def test_every_code_of_the_api_has_its_class_and_says_whether_the_message_may_be_sent(api: Script) -> None:
    schema = document.read().headers["X-Error-Code"]["schema"]
    with Wirebird(api_key=KEY, base_url=api.base_url) as wb:
        for code in schema["enum"]:
            api.answers(refusal(400, code))
            with pytest.raises(WirebirdError) as caught:
                wb.messages.get("msg_1")
            assert (type(caught.value).code, caught.value.code) == (code, code)
            assert caught.value.may_be_sent == (code in schema["x-may-be-sent"]), code


def test_of_a_code_of_a_newer_server_the_message_may_be_sent(api: Script, run: Run) -> None:
    error = refused(run, api.answers(refusal(400, "made_later")))
    assert (error.code, error.may_be_sent) == ("made_later", True)


def test_no_text_of_an_error_has_the_key(api: Script, run: Run) -> None:
    for behaviour in (lost, GATEWAY, refusal(401, "unauthorized")):
        error = refused(run, api.answers(behaviour), max_attempts=1)
        assert KEY not in f"{error!r} {error} {error.__cause__!r} {vars(error)}"


@pytest.mark.parametrize("base_url", ["wirebird.example.com", "ftp://wirebird.example.com", ""])
def test_an_address_that_is_no_address_is_refused(base_url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Wirebird(api_key=KEY, base_url=base_url)


def test_a_key_is_read_from_a_file_with_a_line_break_and_an_empty_one_is_refused(api: Script, run: Run) -> None:
    run(api.answers(SENDS), send, api_key=f"{KEY}\n")
    assert api.seen[0].headers["authorization"] == f"Bearer {KEY}"
    with pytest.raises(ValueError, match="api_key"):
        Wirebird(api_key="\n", base_url="https://wirebird.example.com")


@pytest.mark.parametrize("key", ["", "é", "a\nb", " a", "x" * 256])
def test_an_idempotency_key_that_a_header_cannot_have_is_refused(api: Script, run: Run, key: str) -> None:
    with pytest.raises(ValueError, match="idempotency_key"):
        run(api.answers(SENDS), lambda wb: wb.messages.send_text(to="4915228817386", body="Hi", idempotency_key=key))
    assert api.seen == []
