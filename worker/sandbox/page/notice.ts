/** The page's own messages about its login, below its other content. */

const box = document.createElement('div');
document.body.append(box);

/** Shows these lines; without any, removes the notice. */
export function showNotice(...lines: string[]): void {
  box.innerText = lines.join('\n');
}
