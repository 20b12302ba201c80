/** The switch between light and dark. Without script it is not there (styles/shell.css). */
export function ThemeSwitch() {
  return (
    <button type="button" id="theme">
      <span class="sun">Light</span>
      <span class="moon">Dark</span>
      <span class="visually-hidden"> theme</span>
    </button>
  );
}
