import { type DocumentKind, type Field, formOf, WRITTEN_VERSION } from '@chancela/academic-documents/layouts'

const titles: Readonly<Record<DocumentKind, string>> = {
  academicDocumentation: 'Academic documentation (documentação acadêmica)',
  degree: 'Degree (diploma digital)',
  academicTranscript: 'Academic transcript (histórico escolar)',
  curriculum: 'Curriculum (currículo escolar)',
  cancellationList: 'List of annulled degrees (lista de diplomas anulados)',
  inspectionFile: 'Inspection file (arquivo de fiscalização)',
}

/** The reference of a layout: one row per field, in the order of the XML. */
export function layoutReference(kind: DocumentKind): string {
  const rows = new Rows()
  for (const root of formOf(kind)) rows.add(root, '', '')
  return `# ${titles[kind]}, layout ${WRITTEN_VERSION}

Input is JSON with these fields, nested as indented; numbers may be given as such or as text. *Occurs*: 1 must be there, 0..1 may be, 1..n and 0..n are lists. A letter with a number behind it marks alternatives: of each letter the rows of one number are given. Signatures are made by signing and are no input.

| Field | XML | Occurs | Label | What is expected |
| --- | --- | --- | --- | --- |
${rows.lines.join('\n')}
`
}

/** Groups with so few fields are told each time. */
const FEW_FIELDS = 3

class Rows {
  readonly lines: string[] = []
  readonly #told = new Map<string, string>()
  #letters = 0

  add(field: Field, indent: string, alternative: string): void {
    if (field.kind === 'oneOf') {
      this.#alternatives(field.options, field.required, indent)
      return
    }
    const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : []
    const known = inner.length > FEW_FIELDS ? this.#told.get(JSON.stringify(inner)) : undefined
    this.#line([
      `${indent}\`${field.name}\``,
      field.xmlName === '' ? 'text' : field.xmlName,
      occurrence(field.required, field.repeated || field.kind === 'list') + alternative,
      field.label,
      [meaning(field), field.help, known && `As in \`${known}\`.`].filter(Boolean).join('. ').replace('..', '.'),
    ])
    if (known !== undefined) return
    if (inner.length > 0) this.#told.set(JSON.stringify(inner), field.name)
    for (const child of inner) this.add(child, `${indent}&emsp;`, '')
  }

  #alternatives(options: readonly (readonly Field[])[], required: boolean, indent: string): void {
    const single = options.length === 1
    const letter = single ? '' : letterOf(this.#letters++)
    options.forEach((option, at) => {
      const mark = single ? '' : ` (${required ? '' : 'optional '}${letter}${at + 1})`
      for (const field of option) this.add(single ? { ...field, required: false } : field, indent, mark)
    })
  }

  #line(cells: readonly string[]): void {
    this.lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
  }
}

const letterOf = (number: number): string => {
  const letter = String.fromCharCode(97 + (number % 26))
  return number < 26 ? letter : letterOf(Math.floor(number / 26) - 1) + letter
}

const occurrence = (required: boolean, repeated: boolean): string =>
  repeated ? (required ? '1..n' : '0..n') : required ? '1' : '0..1'

function meaning(field: Exclude<Field, { kind: 'oneOf' }>): string {
  if (field.kind === 'flag') return '`true`'
  if (field.kind === 'list') return 'list, each item one of these'
  return field.kind === 'group' ? '' : field.expects
}
