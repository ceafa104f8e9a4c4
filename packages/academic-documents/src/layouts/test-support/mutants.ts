// Damages documents in all the ways that a schema can notice, and in some that it must not.
import { ATTRIBUTE, ELEMENT, scanXml, type XmlIndex } from '@chancela/signature-engine/xml'
import { candidate } from './mutant-values.ts'
import type { Seeded } from './seeded.ts'

export interface Mutant {
  readonly how: string
  readonly bytes: Buffer
}

/** What a mutation works on. */
interface Patient {
  readonly text: Buffer
  readonly index: XmlIndex
  readonly random: Seeded
  /** An element that is not the root. */
  readonly element: number
}

/** A piece of the document replaced by another. */
interface Change {
  readonly start: number
  readonly end: number
  readonly by: string
}

type Mutation = (patient: Patient) => Change | undefined

const rangeOf = (index: XmlIndex, element: number) => ({
  start: index.cell(element, ELEMENT.start),
  end: index.cell(element, ELEMENT.end),
})

const sourceOf = ({ text, index }: Patient, element: number): string => {
  const { start, end } = rangeOf(index, element)
  return text.toString('utf8', start, end)
}

const anyElement = ({ index, random }: Patient): number => random.below(index.tables.elementCount)

/** Inside the start tag, before its end. */
function tagGap({ index, text, element }: Patient): number {
  const end = index.cell(element, ELEMENT.tagEnd) - 1
  return text[end - 1] === 0x2f ? end - 1 : end
}

function renamed(source: string, from: string, to: string): string {
  const close = new RegExp(`</${from.replace('.', '\\.')}(\\s*)>$`)
  return source.replace(`<${from}`, `<${to}`).replace(close, `</${to}$1>`)
}

function qualifiedName({ text, index }: Patient, element: number): string {
  return text.toString('utf8', index.cell(element, ELEMENT.start) + 1, index.cell(element, ELEMENT.nameEnd))
}

function nextSibling({ index, element }: Patient): number | undefined {
  const siblings = index.children(index.parent(element))
  return siblings[siblings.indexOf(element) + 1]
}

const insertion = (at: number, by: string): Change => ({ start: at, end: at, by })

const attributes = [
  'estranho="1"',
  'id="Dip1"',
  'Id="Z1"',
  'versao="1.05"',
  'ambiente="Produção"',
  'etiqueta="X"',
  'xml:lang="pt"',
  'xmlns:q="urn:q" q:a="1"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a a.xsd"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="Nenhum"',
  'xmlns:unused="urn:unused"',
]

const between = [
  ' ',
  '\n\t',
  'texto',
  '&#160;',
  '&#32;',
  '<!-- nota -->',
  '<?nota?>',
  '<![CDATA[x]]>',
  '<![CDATA[ ]]>',
  '&#x9;&#10;',
  '<Estranho/>',
  '<Estranho xmlns="">1</Estranho>',
  '<o:Estranho xmlns:o="urn:o"/>',
  '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>',
  '<ds:DigestValue xmlns:ds="http://www.w3.org/2000/09/xmldsig#">AQAB</ds:DigestValue>',
  '<ds:DigestValue xmlns:ds="http://www.w3.org/2000/09/xmldsig#">A</ds:DigestValue>',
]

const mutations: Readonly<Record<string, Mutation>> = {
  drop: (patient) => ({ ...rangeOf(patient.index, patient.element), by: '' }),
  repeat: (patient) => insertion(rangeOf(patient.index, patient.element).end, sourceOf(patient, patient.element)),
  swap: (patient) => {
    const sibling = nextSibling(patient)
    if (sibling === undefined) return undefined
    const { start } = rangeOf(patient.index, patient.element)
    const { end } = rangeOf(patient.index, sibling)
    return { start, end, by: sourceOf(patient, sibling) + sourceOf(patient, patient.element) }
  },
  rename: (patient) => {
    const { index, random, element } = patient
    const from = qualifiedName(patient, element)
    const to = random.pick([`${from}X`, from.toUpperCase(), qualifiedName(patient, anyElement(patient))])
    return { ...rangeOf(index, element), by: renamed(sourceOf(patient, element), from, to) }
  },
  move: (patient) => {
    const target = anyElement(patient)
    const { element, index } = patient
    const at = rangeOf(index, target).start
    return target === 0 ? undefined : insertion(at, sourceOf(patient, element))
  },
  replace: (patient) => ({ ...rangeOf(patient.index, patient.element), by: sourceOf(patient, anyElement(patient)) }),
  empty: ({ index, element }) => ({
    start: index.cell(element, ELEMENT.tagEnd),
    end: index.cell(element, ELEMENT.close),
    by: '',
  }),
  'attribute added': (patient) => insertion(tagGap(patient), ` ${patient.random.pick(attributes)}`),
  'attribute dropped': (patient) => attributeChange(patient, () => ''),
  'attribute renamed': (patient) => attributeChange(patient, (name, value) => ` ${name}X="${value}"`),
  'attribute changed': (patient) =>
    attributeChange(patient, (name, value) => ` ${name}="${attributeText(candidate(value, patient.random))}"`),
  'namespace changed': (patient) =>
    insertion(
      patient.index.cell(patient.element, ELEMENT.nameEnd),
      ` xmlns${patient.random.pick(['', ':ds'])}="${patient.random.pick(['urn:x', 'https://portal.mec.gov.br/diplomadigital/arquivos-em-xsd'])}"`,
    ),
  'content before': ({ index, random, element }) => insertion(rangeOf(index, element).start, random.pick(between)),
  'content inside': ({ index, random, element }) => insertion(index.cell(element, ELEMENT.close), random.pick(between)),
  value: leafChange,
  'value ': leafChange,
  'value  ': leafChange,
  'value   ': leafChange,
}

const attributeText = (raw: string): string => raw.replaceAll('"', '&quot;').replaceAll(']]>', '')

function attributeChange(patient: Patient, changed: (name: string, value: string) => string): Change | undefined {
  const { index, random, element, text } = patient
  const rows = index.attributeRows(element)
  if (rows.length === 0) return undefined
  const row = random.pick(rows)
  const start = index.attributeCell(row, ATTRIBUTE.name)
  const end = index.attributeCell(row, ATTRIBUTE.valueEnd) + 1
  const name = text.toString('utf8', start, index.attributeCell(row, ATTRIBUTE.nameEnd))
  return { start, end, by: changed(name, index.attributeText(row)).trimStart() }
}

function leafChange(patient: Patient): Change | undefined {
  const { index, random, element } = patient
  const value = index.text(element)
  if (value === undefined) return undefined
  const start = index.cell(element, ELEMENT.tagEnd)
  const end = index.cell(element, ELEMENT.close)
  return start === end ? undefined : { start, end, by: candidate(value, random) }
}

const names = Object.keys(mutations)

/** One damaged document; now and then damaged twice. It is still XML: what is not is refused before any schema. */
export function mutantOf(original: Buffer, random: Seeded): Mutant {
  const first = mutatedOnce(original, random)
  if (random.next() > 0.08) return first
  const second = mutatedOnce(first.bytes, random)
  return { how: `${first.how}; ${second.how}`, bytes: second.bytes }
}

function mutatedOnce(original: Buffer, random: Seeded): Mutant {
  const index = scanXml(original)
  for (;;) {
    const name = random.pick(names)
    const element = patientElement(index, random, name)
    const change = mutations[name]!({ text: original, index, random, element })
    if (change === undefined) continue
    const parts = [original.subarray(0, change.start), Buffer.from(change.by), original.subarray(change.end)]
    const bytes = Buffer.concat(parts)
    if (isReadable(bytes)) return { how: `${name.trim()} at ${index.path(element)}: ${change.by.slice(0, 200)}`, bytes }
  }
}

function isReadable(bytes: Buffer): boolean {
  try {
    const index = scanXml(bytes)
    const { elementCount } = index.tables
    index.release()
    return elementCount > 1
  } catch {
    return false
  }
}

/** Mutations of values and attributes seek an element that has some. */
function patientElement(index: XmlIndex, random: Seeded, name: string): number {
  const any = () => 1 + random.below(index.tables.elementCount - 1)
  const fits = (element: number) =>
    name.startsWith('attribute ') && name !== 'attribute added'
      ? index.attributeRows(element).length > 0
      : !name.startsWith('value') || index.text(element) !== undefined
  for (let tries = 0; tries < 50; tries++) {
    const element = any()
    if (fits(element)) return element
  }
  return any()
}
