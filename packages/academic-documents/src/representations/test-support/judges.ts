import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import jsQR from 'jsqr'
import { expect } from 'vitest'

// Programs that others wrote, asked about what we drew.

/** Writes a file, requires that qpdf has nothing to say against it, and returns its path. */
export async function soundFile(pdf: Uint8Array): Promise<string> {
  const path = join(temporaryFolder(), 'representation.pdf')
  writeFileSync(path, pdf)
  const { ok, text } = await runTool('qpdf', ['--check', path])
  expect(text).not.toMatch(/WARNING/)
  expect(ok).toBe(true)
  return path
}

/** The text of each page, every gap one blank. */
export async function pageTexts(pdf: Uint8Array): Promise<string[]> {
  const { stdout } = await runTool('pdftotext', ['-raw', await soundFile(pdf), '-'])
  return stdout
    .toString('utf8')
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replace(/\s+/g, ' ').trim())
}

export interface FontReport {
  readonly name: string
  readonly isEmbedded: boolean
  readonly isSubset: boolean
  readonly hasUnicode: boolean
}

export async function fontsOf(pdf: Uint8Array): Promise<FontReport[]> {
  const { stdout } = await runTool('pdffonts', [await soundFile(pdf)])
  const rows = stdout.toString('utf8').trim().split('\n').slice(2)
  return rows.map((row) => {
    const [, name, embedded, subset, unicode] = /^(\S+).*?\s(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+$/.exec(row)!
    return { name: name!, isEmbedded: embedded === 'yes', isSubset: subset === 'yes', hasUnicode: unicode === 'yes' }
  })
}

/** What pdfinfo says, by its labels. */
export async function informationOf(pdf: Uint8Array): Promise<Map<string, string>> {
  const { stdout } = await runTool('pdfinfo', ['-isodates', await soundFile(pdf)])
  return new Map(
    stdout
      .toString('utf8')
      .split('\n')
      .flatMap((row): [string, string][] => {
        const [, label, value] = /^([^:]+):\s*(.*)$/.exec(row) ?? []
        return label === undefined ? [] : [[label, value!]]
      }),
  )
}

/** What a camera reads on a page, as it is drawn by others. */
export async function qrTextOf(pdf: Uint8Array, page: number): Promise<string | undefined> {
  const path = await soundFile(pdf)
  const { stdout } = await runTool('pdftoppm', ['-r', '110', '-f', String(page), '-l', String(page), path])
  const [header, width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 64))!
  const pixels = stdout.subarray(header.length)
  const rgba = new Uint8ClampedArray(4 * Number(width) * Number(height)).fill(255)
  for (let at = 0; at < pixels.length / 3; at++) rgba.set(pixels.subarray(3 * at, 3 * at + 3), 4 * at)
  return jsQR.default(rgba, Number(width), Number(height))?.data
}
