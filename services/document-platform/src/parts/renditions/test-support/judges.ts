import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { expect } from 'vitest'

/** Writes a file, requires that qpdf accepts it, and returns its path. */
async function soundFile(pdf: Uint8Array): Promise<string> {
  const path = join(temporaryFolder(), 'rendition.pdf')
  writeFileSync(path, pdf)
  const { ok, text } = await runTool('qpdf', ['--check', path])
  expect(text).not.toMatch(/WARNING/)
  expect(ok).toBe(true)
  return path
}

/** The text of each page. */
export async function pageTexts(pdf: Uint8Array): Promise<string[]> {
  const { stdout } = await runTool('pdftotext', ['-layout', await soundFile(pdf), '-'])
  return stdout.toString('utf8').split('\f').slice(0, -1)
}

export interface PlacedWord {
  readonly page: number
  readonly text: string
  /** In points from the top left corner, as the reader sees the page. */
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Every word with its place on the page as it is shown. */
export async function placedWords(pdf: Uint8Array): Promise<PlacedWord[]> {
  const { stdout } = await runTool('pdftotext', ['-bbox', '-cropbox', await soundFile(pdf), '-'])
  const pages = stdout.toString('utf8').matchAll(/<page [^>]*>(.*?)<\/page>/gs)
  return [...pages].flatMap(([, body], at) => wordsIn(body!, at + 1))
}

function wordsIn(body: string, page: number): PlacedWord[] {
  const found = body.matchAll(/<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)<\/word>/g)
  return [...found].map(([, left, top, right, bottom, text]) => ({
    page,
    text: text!,
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
  }))
}

/** Whether the file has signatures that pdfsig finds. */
export async function hasSignatures(pdf: Uint8Array): Promise<boolean> {
  const { text } = await runTool('pdfsig', ['-nocert', await soundFile(pdf)])
  return !/does not contain any signatures/.test(text)
}

/** A page as grey pixels, row by row; 0 is black. */
export async function pixels(pdf: Uint8Array, dotsPerInch: number) {
  const { stdout } = await runTool('pdftoppm', [
    '-gray',
    '-r',
    String(dotsPerInch),
    '-singlefile',
    await soundFile(pdf),
  ])
  const [header, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 64))!
  const columns = Number(width)
  return { at: (x: number, y: number) => stdout[header.length + y * columns + x]!, height: Number(height) }
}
