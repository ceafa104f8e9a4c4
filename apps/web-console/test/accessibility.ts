import type { WatchedPage } from '@chancela/testkit/browser'
import axe from 'axe-core'

/** Tables wider than their panel; those of numbers, folded away under a chart, may be scrolled. Runs in the page. */
export const cutTables = () =>
  [...document.querySelectorAll('table')]
    .filter((table) => !table.closest('details'))
    .filter(({ parentElement: frame }) => frame!.scrollWidth > frame!.clientWidth).length

/** What stands in a cell of a table and runs over its edge. Runs in the page. */
export const overlappingCells = () =>
  [...document.querySelectorAll(':is(td, th) *')]
    .filter(
      (inside) => inside.getBoundingClientRect().right > inside.closest('td, th')!.getBoundingClientRect().right + 1,
    )
    .map(({ textContent }) => textContent)

const pressed = ['button', 'link', 'radio', 'checkbox', 'switch', 'textbox', 'combobox', 'DisclosureTriangle']

/** Roles of controls without an accessible name, as Chromium exposes both to screen readers. */
export async function namelessControls(page: WatchedPage['page']): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(({ ignored, role }) => !ignored && pressed.includes(role?.value))
    .filter(({ name }) => String(name?.value ?? '').trim() === '')
    .map(({ role }) => String(role?.value))
}

/** What axe-core finds on a page, as rule and element. */
export async function axeFindings(page: WatchedPage['page']): Promise<string[]> {
  // Evaluated rather than added to the page, whose content policy would refuse the script.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // Off by default: who speaks to a page says the words on a button, which its name must contain.
    const rules = { 'label-content-name-mismatch': { enabled: true } }
    const { violations } = await axe.run(document, { rules, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}
