import { expect, test } from 'vitest'
import { asData, marksOf, onFile, signersAmong, withMark, withMoved, withoutMark } from './session-marks.ts'

const contract = { id: 'file-1', name: 'Contract', contentType: 'application/pdf', location: '/1' }
const annex = { id: 'file-2', name: 'Annex', contentType: 'application/pdf', location: '/2' }
const ana = { flowActionId: 'action-1', name: 'Ana', type: 'Signer' }
const a4 = { width: 595, height: 842 }
const onContract = { fileId: contract.id, page: 1, size: a4 }

test('what was placed before is shown again and saved as it was', () => {
  const data = [
    {
      flowActionId: 'action-1',
      participant: 'Ana',
      type: 'SignatureInitials' as const,
      uploadId: annex.id,
      pageNumber: 2,
      topLeftX: 10,
      topLeftY: 20,
      width: 100,
      height: 40,
    },
  ]
  expect(asData(marksOf({ data, files: [contract, annex] }))).toEqual(data)
})

test('a mark without file and page stands on the first page of the first file', () => {
  const data = [{ topLeftX: 1, topLeftY: 2, width: 100, height: 40 }]
  expect(marksOf({ data, files: [contract, annex] })).toMatchObject([{ fileId: contract.id, pageNumber: 1 }])
})

test('a new mark is of the participant and of the file it was placed on', () => {
  const marks = withMark([], onContract, ana)
  expect(asData(marks)).toEqual([
    expect.objectContaining({
      flowActionId: 'action-1',
      participant: 'Ana',
      type: 'SignatureVisualRepresentation',
      uploadId: contract.id,
      pageNumber: 1,
    }),
  ])
})

test('a mark for nobody in particular names nobody', () => {
  const [mark] = asData(withMark([], onContract, undefined))
  expect(mark).not.toHaveProperty('participant')
  expect(mark).not.toHaveProperty('flowActionId')
})

test('a mark is moved and removed without touching the others, even after one was removed', () => {
  const two = withMark(withMark([], onContract, ana), onContract, ana)
  const three = withMark(withoutMark(two, '0'), { ...onContract, fileId: annex.id }, ana)
  expect(three.map(({ id }) => id)).toEqual(['1', '2'])
  const moved = withMoved(three, { ...three[1]!, topLeftX: 7 })
  expect(moved[0]).toEqual(three[0])
  expect(onFile(moved, annex.id)).toMatchObject([{ topLeftX: 7, participant: 'Ana' }])
})

test('approvers leave no mark', () => {
  const types = ['Signer', 'Approver', 'SignRule', 'ApproverRule', 'Unheard'].map((type) => ({ ...ana, type }))
  expect(signersAmong(types).map(({ type }) => type)).toEqual(['Signer', 'SignRule'])
})
