// A mark's template from JSON: what it does not know is refused by its name, so that no misspelt wish is lost.
import { refusePades } from './errors.ts'
import { type Check, isJsonObject, jsonChecks } from './json-checks.ts'
import type { MarkTemplate } from './mark-template.ts'
import { FIELD, markFields } from './mark-values.ts'

/** The bytes of a file that a template names. */
export type TemplateFile = (file: string) => Uint8Array

const wrong = (member: string, reason: string) => refusePades('pades.mark-template', { member, reason })

/** Reads a template: the value of JSON, in which `image.file` names a file, or `image.data` is base64. */
export function readMarkTemplate(json: unknown, fileOf?: TemplateFile): MarkTemplate {
  template(json, '')
  const { image, ...rest } = json as Omit<MarkTemplate, 'image'> & { readonly image?: StoredImage }
  return image ? { ...rest, image: withData(image, fileOf) } : rest
}

interface StoredImage {
  readonly file?: string
  readonly data?: string
  readonly side?: 'left' | 'right' | 'behind'
  readonly opacity?: number
}

function withData({ file, data, ...rest }: StoredImage, fileOf: TemplateFile | undefined) {
  if ((file === undefined) === (data === undefined)) throw wrong('image', 'has either file or data')
  if (file === undefined) return { ...rest, data: Buffer.from(data!, 'base64') }
  if (!fileOf) throw wrong('image.file', 'no files can be read here')
  return { ...rest, data: fileOf(file) }
}

const { object, number, oneOf, pattern, listOf } = jsonChecks(wrong)

const either =
  (word: string, check: Check): Check =>
  (value, at) => {
    if (value !== word) check(value, at)
  }

const MOST_TEXT = 2000

const text: Check = (value, at) => {
  if (typeof value !== 'string' || value.length > MOST_TEXT)
    throw wrong(at, `is no text of up to ${MOST_TEXT} characters`)
  const unknown = [...value.matchAll(FIELD)].map(([, field]) => field!).find((field) => !markFields.includes(field))
  if (unknown !== undefined) throw wrong(at, `has the unknown field {${unknown}}; there are: ${markFields.join(', ')}`)
}

const timeZone: Check = (value, at) => {
  try {
    if (typeof value === 'string') new Intl.DateTimeFormat('en-US', { timeZone: value })
    else throw new RangeError()
  } catch {
    throw wrong(at, 'is no time zone')
  }
}

const MOST_LINES = 100
const coordinate = number(-20_000, 20_000)
const part = number(0, 1)
const color = pattern(/^#[0-9a-fA-F]{6}$/, 'colour such as #1f4e79')
const line: Check = (value, at) =>
  isJsonObject(value)
    ? object({ text, style: oneOf('normal', 'bold', 'italic'), color }, ['text'])(value, at)
    : text(value, at)
const listed = listOf(line, MOST_LINES)
const lines: Check = (value, at) =>
  isJsonObject(value) ? object({ 'pt-BR': listed, 'en-US': listed })(value, at) : listed(value, at)
const page: Check = (value, at) => {
  if (value === 'last' || value === 'all' || (Number.isSafeInteger(value) && (value as number) > 0)) return
  throw wrong(at, 'is no page from 1, last or all')
}

const template = object({
  place: object({
    page,
    x: coordinate,
    y: coordinate,
    width: number(1, 20_000),
    height: number(1, 20_000),
    origin: oneOf('bottom-left', 'bottom-right', 'top-left', 'top-right'),
    beyond: oneOf('refused', 'moved'),
  }),
  background: either('none', object({ color, opacity: part })),
  border: either('none', object({ width: number(0, 100), color, opacity: part })),
  image: object({
    file: pattern(/./, 'name of a file'),
    data: pattern(/^[A-Za-z0-9+/]+={0,2}$/, 'base64'),
    side: oneOf('left', 'right', 'behind'),
    opacity: part,
  }),
  text: either(
    'none',
    object({ lines, color, size: number(1, 200), leastSize: number(1, 200), align: oneOf('left', 'center', 'right') }, [
      'lines',
    ]),
  ),
  qrCode: object({ text, side: oneOf('left', 'right') }, ['text']),
  language: oneOf('pt-BR', 'en-US'),
  timeZone,
})
