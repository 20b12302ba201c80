/**
 * Light or dark: what was chosen here, else what the system prefers. The only thing that a page
 * keeps. Runs before the first paint, so that nobody sees the other one flash by.
 */
const KEY = 'theme';
const root = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/** Storage may be forbidden: then a choice lasts as long as the page. */
function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {}
}

// The switch is shown by the style sheet from the first paint on: shown later, it would move what
// stands beside it.
root.dataset.scripted = '';
// Under an address that was asked for, the example is not even seen for a moment (parts/wallet/).
if (new URLSearchParams(location.search).has('address')) root.dataset.asked = '';
const before = kept();
if (before === 'light' || before === 'dark') root.dataset.theme = before;

document.addEventListener('DOMContentLoaded', () => {
  document.getElementById('theme')?.addEventListener('click', () => {
    const shown = root.dataset.theme ?? (prefersDark.matches ? 'dark' : 'light');
    root.dataset.theme = shown === 'dark' ? 'light' : 'dark';
    keep(root.dataset.theme);
  });
});
