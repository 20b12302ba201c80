/** The switch between light and dark. Without script it is not there (entries/theme.ts shows it). */
export function ThemeSwitch() {
  return (
    <button type="button" id="theme" hidden>
      <span class="sun">Light</span>
      <span class="moon">Dark</span>
      <span class="visually-hidden"> theme</span>
    </button>
  );
}
