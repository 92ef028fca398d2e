/** The page's own words about its login, below what else it shows. */

const box = document.createElement('div');
document.body.append(box);

/** Shows these lines; without any, nothing. */
export function showNotice(...lines: string[]): void {
  box.innerText = lines.join('\n');
}
