import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ref } from '../pdf/pdf-object.ts'
import { contract, contractPdf } from './test-support/contract-pdf.ts'
import { placedTimestamp } from './test-support/placed-timestamp.ts'
import { currentText, pageWith, rawUpdate } from './test-support/raw-update.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom

beforeAll(async () => {
  room = await openSigningRoom()
})

afterAll(() => room.stop())

const errors = async (pdf: Buffer): Promise<string[]> => {
  const { findings, signatures } = await room.validate(pdf)
  const all = [...findings, ...signatures.flatMap((signature) => signature.findings)]
  return all.filter(({ severity }) => severity === 'error').map(({ code }) => code)
}

/** The first page of the contract, with its resources in an object of their own that says the same. */
function movedResources(signed: Buffer, change: (resources: string) => string = (same) => same): Buffer {
  const page = currentText(signed, contract.page)
  const [, resources] = /\/Resources (<<.*?>>\s*>>)/s.exec(page)!
  const moved = page.replace(resources!, '150 0 R')
  return rawUpdate(signed, { objects: { [contract.page]: moved, 150: change(resources!) } })
}

describe('a later revision of an honest writer is no attack', () => {
  test('that timestamps the document in a field which was there, and puts its widget onto the page', async () => {
    const signed = await room.sign(contractPdf())
    const stamped = await placedTimestamp(signed, ref(contract.emptySignature), room)
    expect(await errors(stamped)).toEqual([])
    expect(await room.validate(stamped)).toMatchObject({ indication: 'valid' })
  })

  test('that puts the widget of an empty field which shows nothing onto the page', async () => {
    const signed = await room.sign(contractPdf())
    const listed = pageWith(signed, contract.page, `${contract.emptySignature} 0 R`)
    expect(await errors(rawUpdate(signed, { objects: { [contract.page]: listed } }))).toEqual([])
  })

  test('that writes the resources of a page elsewhere, in another order, with the same content', async () => {
    const signed = await room.sign(contractPdf())
    expect(await errors(movedResources(signed))).toEqual([])
    const swapped = (resources: string) => resources.replace(/(\/Font\s*<<.*?>>)\s*(\/XObject\s*<<.*?>>)/s, '$2 $1')
    expect(await errors(movedResources(signed, swapped))).toEqual([])
  })

  test('that copies the catalog and a picture under other numbers', async () => {
    const signed = await room.sign(contractPdf())
    const layers = currentText(signed, contract.layers)
    const catalog = currentText(signed, contract.catalog).replace(`${contract.layers} 0 R`, '151 0 R')
    expect(await errors(rawUpdate(signed, { objects: { [contract.catalog]: catalog, 151: layers } }))).toEqual([])
  })
})

describe('what looks like one is still found', () => {
  test('resources elsewhere that show something else, or are changed later', async () => {
    const signed = await room.sign(contractPdf())
    const other = (resources: string) => resources.replace('20 0 R', '3 0 R')
    expect(await errors(movedResources(signed, other))).toContain('pdf.incremental-saving')
    const honest = movedResources(signed)
    const later = currentText(honest, 150).replace('20 0 R', '3 0 R')
    expect(await errors(rawUpdate(honest, { objects: { 150: later } }))).not.toEqual([])
  })

  test('a widget of an empty field that shows something', async () => {
    const signed = await room.sign(contractPdf())
    const field = currentText(signed, contract.emptySignature).replace(
      /\/Rect \[[^\]]*\]|>>$/,
      `/Rect [0 0 300 300] /AP << /N ${contract.amountPicture} 0 R >> >>`,
    )
    const page = pageWith(signed, contract.page, `${contract.emptySignature} 0 R`)
    const shown = rawUpdate(signed, { objects: { [contract.page]: page, [contract.emptySignature]: field } })
    expect(await errors(shown)).not.toEqual([])
  })
})
