import fs from 'node:fs';
import path from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { metrics } from './metrics.ts';

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string };
}
const rules = (
  parse(read('deploy/prometheus/wirebird.rules.yml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const panels = (
  JSON.parse(read('deploy/grafana/wirebird.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  }
).panels;
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

/** Every series that a process reports, and the labels that it may have. */
async function scraped(): Promise<Map<string, Set<string>>> {
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults });
  const series = new Map<string, Set<string>>([['up', new Set()]]);
  for (const registry of [metrics().registry, defaults]) {
    for (const { name, type } of await registry.getMetricsAsJSON()) {
      const { labelNames = [] } = registry.getSingleMetric(name) as unknown as { labelNames?: string[] };
      const suffixes = String(type) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      for (const suffix of suffixes) series.set(name + suffix, new Set([...labelNames, 'le']));
    }
  }
  defaults.clear();
  return series;
}

test('the dashboard and the alert rules use only metrics that a process reports', async () => {
  const series = await scraped();
  expect(expressions.length).toBeGreaterThan(10);
  for (const expression of expressions) {
    for (const [, name = '', labels = ''] of expression.matchAll(
      /\b((?:wirebird|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g,
    )) {
      expect([...series.keys()], expression).toContain(name);
      const asked = [...labels.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label ?? '');
      const known = [...(series.get(name) ?? []), 'job', 'instance'];
      expect(known, expression).toEqual(expect.arrayContaining(asked));
    }
  }
});

test('every metric is on the dashboard', async () => {
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
  const all = await metrics().registry.getMetricsAsJSON();
  // The dashboard does not have to show Node's own metrics.
  const ours = all.map(({ name }) => name).filter((name) => !/^(process|nodejs)_/.test(name));
  expect(ours.length).toBeGreaterThan(10);
  for (const name of ours) expect(shown).toContain(name);
});

test('every alert says what happens and has a section in the operator’s guide', () => {
  const guide = read('docs/operations.md');
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, annotations } of rules) {
    expect(annotations.summary).not.toBe('');
    expect(guide).toContain(`### ${alert}\n`);
  }
});
