import { deflateSync } from 'node:zlib'
import type { FindingCode } from '../../report/report.ts'
import {
  amountField,
  contract,
  contractPdf,
  firstPage,
  HIDDEN_TWIN,
  STRUCTURE_ELEMENT,
  stream,
  taggedContract,
  text,
} from './contract-pdf.ts'
import { currentText, lastSection, pageWith, type RawUpdate, rawUpdate, without } from './raw-update.ts'

/** A way to make a signed document say something else, and the finding a verifier must report. */
export interface Attack {
  readonly code: FindingCode
  /** How the document is prepared before it is signed. Default the plain contract. */
  readonly document?: (sign: (pdf: Uint8Array) => Promise<Buffer>) => Buffer | Promise<Buffer>
  readonly tamper: (signed: Buffer) => Buffer
}

const evil = stream(text('Pay 999,999'))

/** An attack that appends one revision. */
const appended = (code: FindingCode, update: RawUpdate | ((signed: Buffer) => RawUpdate)): Attack => ({
  code,
  tamper: (signed) => rawUpdate(signed, typeof update === 'function' ? update(signed) : update),
})

/** Replaces text of the file by text of the same length, so that every offset stays valid. */
const replaced = (signed: Buffer, pattern: RegExp, by: (found: string) => string): Buffer =>
  Buffer.from(
    signed.toString('latin1').replace(pattern, (found) => by(found).padEnd(found.length)),
    'latin1',
  )

const forged = (pattern: RegExp, by: (found: string) => string): Attack => ({
  code: 'pdf.universal-forgery',
  tamper: (signed) => replaced(signed, pattern, by),
})

const BYTE_RANGE = /\/ByteRange \[[^\]]*\]/
const CONTENTS = /\/Contents <[0-9a-f]{1000,}>/

/** Universal signature forgery: the signature cannot be checked, and a careless reader accepts it. */
const universalForgeries: Readonly<Record<string, Attack>> = {
  'no /ByteRange': forged(BYTE_RANGE, () => ''),
  '/ByteRange null': forged(BYTE_RANGE, () => '/ByteRange null'),
  '/ByteRange empty': forged(BYTE_RANGE, () => '/ByteRange []'),
  '/ByteRange of zeros': forged(BYTE_RANGE, () => '/ByteRange [0 0 0 0]'),
  '/ByteRange negative': forged(BYTE_RANGE, () => '/ByteRange [0 -1 9 9]'),
  '/ByteRange of three numbers': forged(BYTE_RANGE, () => '/ByteRange [0 10 20]'),
  '/ByteRange of six numbers': forged(BYTE_RANGE, () => '/ByteRange [0 1 2 3 4 5]'),
  '/ByteRange of names': forged(BYTE_RANGE, () => '/ByteRange [/a /b /c /d]'),
  '/ByteRange beyond the file': forged(BYTE_RANGE, () => '/ByteRange [0 10 20 9999999]'),
  '/ByteRange from byte 1': forged(BYTE_RANGE, (found) => found.replace('[0', '[1')),
  'no /Contents': forged(CONTENTS, () => ''),
  '/Contents null': forged(CONTENTS, () => '/Contents null'),
  '/Contents empty': forged(CONTENTS, () => '/Contents <>'),
  '/Contents of zeros': forged(CONTENTS, (found) => found.replace(/[0-9a-f](?=[0-9a-f>]*>)/g, '0')),
  '/Contents a number': forged(CONTENTS, () => '/Contents 0'),
}

/** Incremental saving: a body after the signed bytes replaces what they show. */
const incrementalSavings: Readonly<Record<string, Attack>> = {
  'the content of a page replaced': appended('pdf.incremental-saving', { objects: { [contract.content]: evil } }),
  'the page led to other content': appended('pdf.incremental-saving', (signed) => ({
    objects: { [contract.page]: currentText(signed, contract.page).replace('[5 0 R]', '[500 0 R]'), 500: evil },
  })),
  'the page turned': appended('pdf.incremental-saving', (signed) => ({
    objects: { [contract.page]: currentText(signed, contract.page).replace('/MediaBox', '/Rotate 180 /MediaBox') },
  })),
  'another catalog': appended('pdf.incremental-saving', {
    root: 500,
    objects: { 500: '<< /Type /Catalog /Pages 121 0 R >>' },
  }),
  'what pages inherit': appended('pdf.incremental-saving', {
    objects: { [contract.pages]: '<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 /Rotate 90 >>' },
  }),
  'a body without a cross-reference': {
    code: 'pdf.incremental-saving',
    tamper: (signed) => Buffer.concat([signed, Buffer.from(`5 0 obj\n${evil}\nendobj\n`, 'latin1')]),
  },
  'a body with the old cross-reference': {
    code: 'pdf.incremental-saving',
    tamper: (signed) =>
      Buffer.from(
        `${signed.toString('latin1')}5 0 obj\n${evil}\nendobj\nstartxref\n${lastSection(signed.toString('latin1'))}\n%%EOF\n`,
        'latin1',
      ),
  },
  'a cross-reference that skips the signed revision': appended('pdf.incremental-saving', (signed) => {
    const sections = [...signed.toString('latin1').matchAll(/startxref\s+(\d+)/g)].map(([, at]) => Number(at))
    const signature = signatureObject(signed)
    return {
      previous: sections[0]!,
      objects: {
        [contract.content]: evil,
        [contract.form]: '<< /Fields [501 0 R] /SigFlags 3 >>',
        501: `<< /FT /Sig /T (Signature1) /V ${signature.num} 0 R >>`,
      },
      pointed: { [signature.num]: signature.offset },
    }
  }),
}

/** Number and offset of the object that holds the signature. */
function signatureObject(signed: Buffer): { num: number; offset: number } {
  const file = signed.toString('latin1')
  const found = [...file.matchAll(/(\d+) 0 obj\s*<<\s*\/Type \/Sig\b/g)].at(-1)!
  return { num: Number(found[1]), offset: found.index }
}

/** The signed numbers of /ByteRange. */
function rangesIn(signed: Buffer): { firstEnd: number; secondStart: number } {
  const [, firstEnd, secondStart] = /\/ByteRange \[0 (\d+)\s+(\d+)/.exec(signed.toString('latin1'))!
  return { firstEnd: Number(firstEnd), secondStart: Number(secondStart) }
}

/**
 * Signature wrapping: the second signed part is moved to the end of the file, and nothing covers what is between. The
 * moved part still holds the offset of the cross-reference, so the attacker's is put there. The digest matches.
 */
function wrapped(signed: Buffer): Buffer {
  const file = signed.toString('latin1')
  const { firstEnd, secondStart } = rangesIn(signed)
  const section = lastSection(file)
  const signature = signatureObject(signed)
  const contents = file.slice(firstEnd, secondStart)
  const head = `${file.slice(0, secondStart)}>>\nendobj\n`.padEnd(section)
  const moved = file.slice(secondStart)
  const rows = rowsOf(file, section).filter(({ num }) => num !== signature.num)
  // Every number has ten digits, so the layout does not depend on them.
  const bodies = (end: number): [number, string][] => [
    [contract.content, evil],
    [
      signature.num,
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 ${digits(firstEnd)} ${digits(end)} ${digits(moved.length)}] /Contents ${contents} >>`,
    ],
    // What was after the gap has moved: it is written again.
    ...rows.filter(({ at }) => at > secondStart).map(({ num, at }): [number, string] => [num, bodyAt(file, at)]),
  ]
  const table = (end: number, from: number) => {
    let at = from
    const own = bodies(end).map(([num, body]) => {
      const row = `${num} 1\n${digits(at)} 00000 n \n`
      at += written(num, body).length
      return row
    })
    const kept = rows.filter((row) => row.at < secondStart).map(({ num, at }) => `${num} 1\n${digits(at)} 00000 n \n`)
    const previous = Number(/\/Prev (\d+)/.exec(file.slice(section))![1])
    return `xref\n${[...own, ...kept].join('')}trailer\n<< /Size 100000 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${section}\n%%EOF\n`
  }
  const from = section + table(0, 0).length
  const body = (end: number) =>
    bodies(end)
      .map(([num, one]) => written(num, one))
      .join('')
  const end = from + body(0).length
  return Buffer.from(head + table(end, from) + body(end) + moved, 'latin1')
}

const written = (num: number, body: string): string => `${num} 0 obj\n${body}\nendobj\n`

const bodyAt = (file: string, at: number): string => /obj\s*(.*?)\s*endobj/s.exec(file.slice(at))![1]!

const digits = (value: number): string => String(value).padStart(10, '0')

/** The used rows of a section. */
function rowsOf(file: string, section: number): { num: number; at: number }[] {
  const table = file.slice(section + 5, file.indexOf('trailer', section))
  return [...table.matchAll(/(\d+) \d+\n((?:\d{10} \d{5} [nf] \n)+)/g)].flatMap(([, first, list]) =>
    [...list!.matchAll(/(\d{10}) \d{5} n \n/g)].map(([, at], i) => ({ num: Number(first) + i, at: Number(at) })),
  )
}

/** Shadow attacks: the author hides something in the document before it is signed, and shows it afterwards. */
const shadowHides: Readonly<Record<string, Attack>> = {
  'the overlay freed': appended('pdf.shadow-hide', { free: [contract.overlay] }),
  'the overlay made another kind of object': appended('pdf.shadow-hide', {
    objects: { [contract.overlay]: '<< /Type /Nothing >>' },
  }),
  'an annotation taken off the page': appended('pdf.shadow-hide', (signed) => ({
    objects: { [contract.page]: without(signed, contract.page, contract.comment) },
  })),
  'an annotation freed': appended('pdf.shadow-hide', { free: [contract.comment] }),
  'a layer switched off': appended('pdf.shadow-hide', {
    objects: { [contract.layers]: '<< /OCGs [111 0 R] /D << /OFF [111 0 R] >> >>' },
  }),
  'a field moved away': appended('pdf.shadow-hide', {
    objects: { [contract.amount]: amountField('100').replace('[72 500 272 520]', '[0 0 0 0]') },
  }),
}

const shadowReplaces: Readonly<Record<string, Attack>> = {
  'another font': appended('pdf.shadow-replace', {
    objects: { [contract.font]: '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>' },
  }),
  'another overlay': appended('pdf.shadow-replace', {
    objects: { [contract.overlay]: stream(text('Pay 999,999'), '/Type /XObject /Subtype /Form /BBox [0 0 612 792]') },
  }),
  'a field with the same value and another picture': appended('pdf.shadow-replace', {
    objects: { [contract.amountPicture]: stream(text('999,999'), '/Type /XObject /Subtype /Form /BBox [0 0 200 20]') },
  }),
  'a field led to another picture': appended('pdf.shadow-replace', {
    objects: {
      [contract.amount]: amountField('100', 500),
      500: stream(text('999,999'), '/Type /XObject /Subtype /Form /BBox [0 0 200 20]'),
    },
  }),
  'fields drawn anew': appended('pdf.shadow-replace', (signed) => ({
    objects: {
      [contract.form]: currentText(signed, contract.form).replace('/Fields', '/NeedAppearances true /Fields'),
    },
  })),
  'an object that the signed page waits for': {
    code: 'pdf.shadow-replace',
    document: () => contractPdf({ extra: { 4: firstPage('/Contents [5 0 R 900 0 R]') } }),
    tamper: (signed) => rawUpdate(signed, { objects: { 900: evil } }),
  },
  'a picture that the page shows, too, replaced by filling the field': {
    code: 'pdf.shadow-replace',
    document: () => contractPdf({ extra: { 4: firstPage().replace('/Over 20 0 R', '/Over 105 0 R') } }),
    tamper: (signed) =>
      rawUpdate(signed, {
        objects: {
          [contract.amount]: amountField('200'),
          [contract.amountPicture]: stream(text('999,999'), '/Type /XObject /Subtype /Form /BBox [0 0 200 20]'),
        },
      }),
  },
}

const hideAndReplaces: Readonly<Record<string, Attack>> = {
  'the catalog that was hidden': appended('pdf.shadow-hide-and-replace', { root: contract.hiddenCatalog }),
  'an object that was hidden in a stream': appended('pdf.shadow-hide-and-replace', (signed) => ({
    pointed: { [contract.content]: signed.indexOf(HIDDEN_TWIN, 0, 'latin1') },
  })),
  'a cross-reference that was hidden in a stream': {
    code: 'pdf.shadow-hide-and-replace',
    document: withHiddenSection,
    tamper: (signed) =>
      Buffer.concat([
        signed,
        Buffer.from(`startxref\n${signed.indexOf(HIDDEN_SECTION, 0, 'latin1')}\n%%EOF\n`, 'latin1'),
      ]),
  },
}

const HIDDEN_SECTION = 'xref\n5 1\n'

/**
 * A contract with a cross-reference section inside a stream, which points to hidden content and continues with the
 * section that signing will append. Signing is predictable, so the author knows its offset.
 */
async function withHiddenSection(sign: (pdf: Uint8Array) => Promise<Buffer>): Promise<Buffer> {
  const section = `${HIDDEN_SECTION}${digits(0)} 00000 n \ntrailer\n<< /Size 200 /Root 1 0 R /Prev ${digits(0)} >>\n`
  const draft = contractPdf({ extra: { 131: stream(section) } })
  const signed = (await sign(draft)).toString('latin1')
  const prepared = section
    .replace(digits(0), digits(draft.indexOf(HIDDEN_TWIN, 0, 'latin1')))
    .replace(`/Prev ${digits(0)}`, `/Prev ${digits(lastSection(signed))}`)
  return contractPdf({ extra: { 131: stream(prepared) } })
}

const freeText = (subtype = 'FreeText', more = ''): string =>
  `<< /Type /Annot /Subtype /${subtype} /Rect [0 500 612 792] /DA (/Helv 24 Tf) /Contents (Pay 999,999) /P 4 0 R ${more} >>`

const annotated =
  (annotation: string) =>
  (signed: Buffer): RawUpdate => ({
    objects: { [contract.page]: pageWith(signed, contract.page, '500 0 R'), 500: annotation },
  })

const signatureField =
  (more: string) =>
  (signed: Buffer): RawUpdate => ({
    objects: {
      [contract.page]: pageWith(signed, contract.page, '500 0 R'),
      [contract.form]: currentText(signed, contract.form).replace('[', '[500 0 R '),
      500: `<< /Type /Annot /Subtype /Widget /T (seal) /Rect [0 500 612 792] /F 4 /P 4 0 R ${more} >>`,
      501: stream(text('Pay 999,999'), '/Type /XObject /Subtype /Form /BBox [0 0 612 292]'),
      502: '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <00> >>',
    },
  })

/** Evil annotations: comments, widgets and signature fields as pictures over the page. */
const evilAnnotations: Readonly<Record<string, Attack>> = {
  'a text over the page': appended('pdf.evil-annotation', annotated(freeText())),
  'a stamp over the page': appended('pdf.evil-annotation', annotated(freeText('Stamp'))),
  'a redaction': appended('pdf.evil-annotation', annotated(freeText('Redact'))),
  'a comment that says something else': appended('pdf.evil-annotation', {
    objects: { [contract.comment]: freeText() },
  }),
  'a text field over the page': appended('pdf.evil-annotation', signatureField('/FT /Tx /AP << /N 501 0 R >>')),
  'an empty signature field with a picture': appended(
    'pdf.evil-annotation',
    signatureField('/FT /Sig /AP << /N 501 0 R >>'),
  ),
  'a signature field with a picture and no signature': appended(
    'pdf.evil-annotation',
    signatureField('/FT /Sig /V 502 0 R /AP << /N 501 0 R >>'),
  ),
}

const pageChanges: Readonly<Record<string, Attack>> = {
  'a page removed': appended('pdf.pages-changed', {
    objects: { [contract.pages]: '<< /Type /Pages /Kids [6 0 R] /Count 1 >>' },
  }),
  'a page freed': appended('pdf.pages-changed', { free: [contract.secondPage] }),
  'a page added': appended('pdf.pages-changed', {
    objects: { [contract.pages]: '<< /Type /Pages /Kids [4 0 R 6 0 R 122 0 R] /Count 3 >>' },
  }),
  'a page added to a list of its own': {
    code: 'pdf.pages-changed',
    document: () => contractPdf({ extra: { 2: '<< /Type /Pages /Kids 140 0 R /Count 2 >>', 140: '[4 0 R 6 0 R]' } }),
    tamper: (signed) => rawUpdate(signed, { objects: { 140: '[4 0 R 122 0 R]' } }),
  },
  'another page tree': appended('pdf.pages-changed', (signed) => ({
    objects: { [contract.catalog]: currentText(signed, contract.catalog).replace('/Pages 2 0 R', '/Pages 121 0 R') },
  })),
}

const otherChanges: Readonly<Record<string, Attack>> = {
  'a script that runs on opening': appended('pdf.not-permitted-change', (signed) => ({
    objects: {
      [contract.catalog]: currentText(signed, contract.catalog).replace(
        '/Pages',
        '/OpenAction << /S /JavaScript /JS (app.alert(1)) >> /Pages',
      ),
    },
  })),
  'the signature taken out of its field': appended('pdf.not-permitted-change', (signed) => ({
    objects: { [signatureObject(signed).num]: '<< /Type /Sig >>' },
  })),
  'the form taken away': appended('pdf.not-permitted-change', (signed) => ({
    objects: { [contract.catalog]: currentText(signed, contract.catalog).replace('/AcroForm 100 0 R', '') },
  })),
  'a field removed from the form': appended('pdf.not-permitted-change', (signed) => ({
    objects: { [contract.form]: currentText(signed, contract.form).replace('104 0 R', '') },
  })),
  'a field with a new action': appended('pdf.not-permitted-change', {
    objects: { [contract.amount]: amountField('100', 105, '/AA << /F << /S /JavaScript /JS (1) >> >>') },
  }),
  'another text for readers’ aids': {
    code: 'pdf.not-permitted-change',
    document: taggedContract,
    tamper: (signed) => rawUpdate(signed, { objects: { 142: STRUCTURE_ELEMENT.replace('100', '999') } }),
  },
  'dynamic forms': appended('pdf.not-permitted-change', (signed) => ({
    objects: { [contract.form]: currentText(signed, contract.form).replace('/Fields', '/XFA (x) /Fields') },
  })),
}

const sharing: Readonly<Record<string, Attack>> = {
  'one signature in two fields': appended('pdf.signature-shared', (signed) => ({
    objects: {
      [contract.form]: currentText(signed, contract.form).replace('112 0 R', '112 0 R 500 0 R'),
      500: `<< /FT /Sig /T (director) /V ${signatureObject(signed).num} 0 R >>`,
    },
  })),
}

const circles: Readonly<Record<string, Attack>> = {
  'a field under itself': appended('pdf.circular-reference', (signed) => ({
    objects: {
      [contract.form]: currentText(signed, contract.form).replace('104 0 R', '104 0 R 500 0 R'),
      500: '<< /T (a) /Kids [501 0 R] >>',
      501: '<< /T (b) /Kids [500 0 R] >>',
    },
  })),
  'a form that refers to itself': appended('pdf.circular-reference', {
    objects: { [contract.form]: `${contract.form} 0 R` },
  }),
  'a cross-reference before itself': appended('pdf.circular-reference', (signed) => ({
    // The table begins where the file ended: nothing else is appended.
    previous: signed.length,
  })),
}

const bombs: Readonly<Record<string, Attack>> = {
  'arrays in arrays': appended('pdf.parser-bomb', { objects: { [contract.form]: '['.repeat(10_000) } }),
  'fields in fields': appended('pdf.parser-bomb', (signed) => ({
    objects: {
      [contract.form]: currentText(signed, contract.form).replace('104 0 R', '500 0 R'),
      ...Object.fromEntries(
        Array.from({ length: 100 }, (_, i) => [500 + i, `<< /T (f${i}) /Kids [${501 + i} 0 R] >>`]),
      ),
      600: '<< /T (leaf) >>',
    },
  })),
  'few fields that are many': appended('pdf.parser-bomb', (signed) => ({
    objects: {
      [contract.form]: currentText(signed, contract.form).replace('104 0 R', '500 0 R'),
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [500 + i, `<< /T (f${i}) /Kids [${`${501 + i} 0 R `.repeat(10)}] >>`]),
      ),
      530: '<< /T (leaf) >>',
    },
  })),
  'evidence that unpacks without end': appended('pdf.parser-bomb', (signed) => {
    const data = deflateSync(Buffer.alloc(80_000_000)).toString('latin1')
    return {
      objects: {
        [contract.catalog]: currentText(signed, contract.catalog).replace('/Pages', '/DSS 500 0 R /Pages'),
        500: '<< /Type /DSS /Certs [501 0 R] /CRLs [501 0 R] >>',
        501: stream(data, '/Filter /FlateDecode'),
      },
    }
  }),
  'an object number without measure': {
    code: 'pdf.parser-bomb',
    tamper: (signed) => {
      const section = `xref\n99999999 1\n0000000000 00000 n \ntrailer\n<< /Size 100000000 /Root 1 0 R /Prev ${lastSection(signed.toString('latin1'))} >>\n`
      return Buffer.concat([signed, Buffer.from(`${section}startxref\n${signed.length}\n%%EOF\n`)])
    },
  },
}

/** Every attack class a verifier must report, with its variants (signature-engine facts 2.3). */
export const attackClasses: Readonly<Record<string, Readonly<Record<string, Attack>>>> = {
  'universal signature forgery': universalForgeries,
  'incremental saving': incrementalSavings,
  'signature wrapping': { 'the second part moved to the end': { code: 'pdf.signature-wrapping', tamper: wrapped } },
  'shadow hide': shadowHides,
  'shadow replace': shadowReplaces,
  'shadow hide-and-replace': hideAndReplaces,
  'evil annotation': evilAnnotations,
  'page removal or addition': pageChanges,
  'other changes': otherChanges,
  'one signature for several fields': sharing,
  'circular references': circles,
  'parser bombs': bombs,
}
