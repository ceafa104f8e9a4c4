import type { MarksSessionPage, SessionMark } from '../api/types.ts'
import { kinds } from '../new/flow-draft.ts'
import { asMark, asPlaced, type PageSize, type PlacedMark, placeNew } from '../pdf/mark-geometry.ts'

type Participant = MarksSessionPage['participants'][number]

/** A mark on one of the files of the session. */
export interface FileMark extends PlacedMark {
  readonly fileId: string
  readonly type: NonNullable<SessionMark['type']>
  /** Absent for a mark of no particular signer. */
  readonly flowActionId?: string
  readonly participant?: string
}

/** The saved marks; a mark without a file is on the first. */
export const marksOf = ({ data, files }: Pick<MarksSessionPage, 'data' | 'files'>): readonly FileMark[] =>
  (data ?? []).map((mark, index) => ({
    ...asPlaced(mark, String(index)),
    fileId: mark.uploadId ?? files[0]!.id,
    type: mark.type ?? 'SignatureVisualRepresentation',
    ...whose(mark),
  }))

const whose = ({ flowActionId, participant }: Pick<SessionMark, 'flowActionId' | 'participant'>) => ({
  ...(flowActionId && { flowActionId }),
  ...(participant && { participant }),
})

/** The marks in the format of the service and of the embedding page. */
export const asData = (marks: readonly FileMark[]): SessionMark[] =>
  marks.map((mark) => ({ ...whose(mark), ...asMark(mark, mark.fileId), type: mark.type }))

/** Participants with a visible signature: approvers have none. */
export const signersAmong = (participants: readonly Participant[]): readonly Participant[] =>
  participants.filter(({ type }) => type in kinds && kinds[type as keyof typeof kinds].signs)

/** Where a new mark is placed. */
export interface Place {
  readonly fileId: string
  readonly page: number
  readonly size: PageSize
}

/** The marks with another one; it belongs to no particular signer if none is given. */
export function withMark(
  marks: readonly FileMark[],
  { fileId, page, size }: Place,
  signer: Participant | undefined,
): readonly FileMark[] {
  const placed = placeNew(freeId(marks), page, size, onFile(marks, fileId))
  const participant = signer && { flowActionId: signer.flowActionId, participant: signer.name }
  return [
    ...marks,
    { ...placed, fileId, type: 'SignatureVisualRepresentation', ...(participant && whose(participant)) },
  ]
}

const freeId = (marks: readonly PlacedMark[]): string => String(1 + Math.max(-1, ...marks.map(({ id }) => Number(id))))

export const withMoved = (marks: readonly FileMark[], moved: PlacedMark): readonly FileMark[] =>
  marks.map((mark) => (mark.id === moved.id ? { ...mark, ...moved } : mark))

export const withoutMark = (marks: readonly FileMark[], id: string): readonly FileMark[] =>
  marks.filter((mark) => mark.id !== id)

export const onFile = (marks: readonly FileMark[], fileId: string): readonly FileMark[] =>
  marks.filter((mark) => mark.fileId === fileId)
