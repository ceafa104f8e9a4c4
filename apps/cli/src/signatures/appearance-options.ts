import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import { type AppearancePlace, type MarkTemplate, readMarkTemplate } from '@chancela/signature-engine/pades'
import { readInput } from './files.ts'

export interface VisibleOptions {
  readonly visible?: boolean
  /** A file with the template of the mark. */
  readonly mark?: string
  /** `x,y,width,height` in points from the lower left corner. */
  readonly place?: string
  readonly page?: string
  readonly text?: readonly string[]
  readonly image?: string
  readonly qr?: string
}

/** What a visible signature shows: its template, or the usual one with the text, picture and QR code that are given. */
export async function markOf(options: VisibleOptions): Promise<MarkTemplate | undefined> {
  const { visible, mark, text = [], image, qr } = options
  const isVisible = visible || mark !== undefined || text.length > 0 || image !== undefined || qr !== undefined
  if (!isVisible) return undefined
  const template = mark === undefined ? await usualMark(options) : await templateIn(mark)
  return { ...template, place: { ...template.place, ...placeOf(options) } }
}

const usualMark = async ({ text = [], image, qr }: VisibleOptions): Promise<MarkTemplate> => ({
  ...(text.length > 0 && { text: { lines: text } }),
  ...(image !== undefined && { image: { data: await readInput(image) } }),
  ...(qr !== undefined && { qrCode: { text: qr } }),
})

/** Pictures are named as seen from the template. */
async function templateIn(path: string): Promise<MarkTemplate> {
  const json = jsonIn(path, (await readInput(path)).toString('utf8'))
  try {
    return readMarkTemplate(json, (file) => readFileSync(resolve(dirname(path), file)))
  } catch (error) {
    if (error instanceof EngineError) throw new StartupProblem(`${path}: ${error.message}`)
    const { code } = error as NodeJS.ErrnoException
    if (code) throw new StartupProblem(`${path}: the picture it names cannot be read (${code}).`)
    throw error
  }
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StartupProblem(`${path} is no JSON.`)
  }
}

const placeOf = ({ place, page }: VisibleOptions): Partial<AppearancePlace> => ({
  ...(place !== undefined && { ...rectangleOf(place), origin: 'bottom-left' }),
  ...(page !== undefined && { page: pageOf(page) }),
})

function rectangleOf(place: string): Pick<AppearancePlace, 'x' | 'y' | 'width' | 'height'> {
  const [x, y, width, height, ...more] = place.split(',').map(Number)
  const isPlace = [x, y, width, height].every(Number.isFinite) && more.length === 0 && width! > 0 && height! > 0
  if (!isPlace)
    throw new StartupProblem(`--place takes x,y,width,height in points, such as 36,36,220,60, not ${place}.`)
  return { x: x!, y: y!, width: width!, height: height! }
}

function pageOf(page: string): NonNullable<AppearancePlace['page']> {
  if (page === 'last' || page === 'all') return page
  const number = Number(page)
  if (!Number.isInteger(number) || number < 1)
    throw new StartupProblem(`--page takes a number from 1, last or all, not ${page}.`)
  return number
}
