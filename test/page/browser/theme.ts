import { expect } from 'chai';
import { THEMES } from '#test/page/support/open-page';
import type { PageWorld } from '#test/page/support/page-world';

const GROUNDS = { light: 'rgb(251, 251, 249)', dark: 'rgb(18, 22, 26)' } as const;

/** The switch between the theme of the system, light and dark. */
export function themeSwitch(world: PageWorld): void {
  for (const system of THEMES) {
    it(`follows a ${system} system until one is chosen, remembers it, and goes back`, async () => {
      const { page } = await world.open('/verify', { theme: system });
      const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      const button = page.locator('#theme');
      expect(await ground()).to.equal(GROUNDS[system]);
      expect(await button.innerText()).to.include('System');
      for (const chosen of THEMES) {
        await button.click();
        expect(await ground()).to.equal(GROUNDS[chosen]);
        await page.reload();
        expect(await ground(), `${chosen} after a reload`).to.equal(GROUNDS[chosen]);
      }
      await button.click();
      expect(await ground()).to.equal(GROUNDS[system]);
      const other = system === 'dark' ? 'light' : 'dark';
      await page.emulateMedia({ colorScheme: other });
      expect(await ground(), 'the system changes its mind').to.equal(GROUNDS[other]);
      expect(await page.evaluate('localStorage.length')).to.equal(0);
    });
  }
}
