import { expect } from 'vitest'
import type { Page } from './bundle-pages.ts'

/**
 * Words that every English sentence has some of, and no Portuguese one. A letter with an accent is no boundary for `\b`
 * (papéis), and dots and underscores are in names that programs gave. "For" is Portuguese, and TO is Tocantins.
 */
const ENGLISH =
  /(?<![\p{L}._])(the|of|and|is|was|were|are|not|with|this|that|it|its|from|by|cannot|did|does|will|has|have|been|answered|provider|failed|signed)(?![\p{L}_])/iu

/** Visible lines that are English: those marked so, and those that have its words. What a machine wrote is `code`. */
async function englishOn(page: Page): Promise<string[]> {
  const lines = await page.evaluate(() => {
    // The switch of languages names each in itself.
    const apart = [
      ...document.querySelectorAll<HTMLElement>('code, pre, [translate="no"], [role="radiogroup"], [hreflang]'),
    ]
    const shown = apart.map(({ style }) => style.display)
    for (const { style } of apart) style.display = 'none'
    const marked = [...document.querySelectorAll<HTMLElement>('body [lang^="en"]')].filter((one) =>
      one.checkVisibility(),
    )
    const read = [...marked.map(({ innerText }) => `[en] ${innerText}`), ...document.body.innerText.split('\n')]
    for (const [at, { style }] of apart.entries()) style.display = shown[at]!
    return read
  })
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('[en]') || ENGLISH.test(line))
}

/** Waits for a page to be there, and expects that a Brazilian can read all of it. */
export async function expectPortuguese(page: Page, what: string): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  expect(await page.locator('html').getAttribute('lang'), what).toBe('pt-BR')
  expect(await englishOn(page), what).toEqual([])
}
