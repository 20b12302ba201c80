/**
 * System, light or dark: what was chosen here, else what the system prefers. The only thing that a
 * page keeps. Runs before the first paint, so that nobody sees the other one flash by.
 */
const KEY = 'theme';
const root = document.documentElement;

/** What comes after each on a press of the button. No choice: the system decides. */
const NEXT: Readonly<Record<string, string | undefined>> = { system: 'light', light: 'dark' };

/** Storage may be forbidden: then a choice lasts as long as the page. */
function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(theme: string | undefined): void {
  try {
    if (theme === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
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
    const chosen = NEXT[root.dataset.theme ?? 'system'];
    if (chosen === undefined) delete root.dataset.theme;
    else root.dataset.theme = chosen;
    keep(chosen);
  });
});
