// The page behind the last one: where the document is verified, and a box for the mark of each who is to act.
import type { Appearance } from '@chancela/signature-engine/pades'
import type { Say } from './texts.ts'

/** Somebody who is to sign or approve. */
export interface ExpectedParticipant {
  readonly role: 'Signer' | 'Approver'
  readonly name: string
  /** In what capacity, such as `Testemunha`. */
  readonly title?: string
}

/** What a sheet tells. */
export interface SheetInfo {
  readonly documentName: string
  /** Verification code of the document. */
  readonly key: string
  /** Where anybody can check it; also in the QR code. */
  readonly verificationUrl: string
  readonly participants: readonly ExpectedParticipant[]
}

/** A sheet of paper, and what is drawn on it. */
export interface SignatureSheet {
  /** In points. */
  readonly width: number
  readonly height: number
  readonly appearances: readonly Appearance[]
}

const A4 = { width: 595, height: 842 } as const
const MARGIN = 46
const QR_SIDE = 104
const COLUMNS = 2
/** A box with the caption below it, and the distance to the next. */
const BOX = { width: 244, height: 62, caption: 28, gap: 15 } as const
const ROW = BOX.height + BOX.caption + BOX.gap
/** Where the boxes begin, on the first sheet and on the others. */
const FIRST_TOP = MARGIN + QR_SIDE + 24
const NEXT_TOP = MARGIN

const rowsFrom = (top: number): number => Math.floor((A4.height - MARGIN - top) / ROW)
const FIRST = rowsFrom(FIRST_TOP) * COLUMNS
const NEXT = rowsFrom(NEXT_TOP) * COLUMNS

/** As many sheets as the participants need; the first begins with code and address. */
export function signatureSheets(info: SheetInfo, say: Say): readonly SignatureSheet[] {
  const { participants } = info
  const sheets: SignatureSheet[] = [
    { ...A4, appearances: [...head(info, say), ...boxes(participants.slice(0, FIRST), FIRST_TOP, say)] },
  ]
  for (let at = FIRST; at < participants.length; at += NEXT)
    sheets.push({ ...A4, appearances: boxes(participants.slice(at, at + NEXT), NEXT_TOP, say) })
  return sheets
}

/** Longer names are cut: the name of a document must not push anything off the sheet. */
const LONGEST_NAME = 160

function head({ documentName, key, verificationUrl }: SheetInfo, say: Say): Appearance[] {
  const beside = A4.width - 2 * MARGIN - QR_SIDE - 12
  const name = documentName.length > LONGEST_NAME ? `${documentName.slice(0, LONGEST_NAME)}…` : documentName
  const lines = [name, say('stamp.key', { key }), say('stamp.verify', { url: verificationUrl })]
  const at = { x: MARGIN, origin: 'top-left', width: beside } as const
  return [
    { ...at, y: MARGIN, height: 34, lines: [say('sheet.title')], fontSize: 18 },
    { ...at, y: MARGIN + 34, height: QR_SIDE - 34, lines },
    {
      ...at,
      x: A4.width - MARGIN - QR_SIDE,
      y: MARGIN,
      width: QR_SIDE,
      height: QR_SIDE,
      qrCode: verificationUrl,
    },
  ]
}

const boxes = (participants: readonly ExpectedParticipant[], top: number, say: Say): Appearance[] =>
  participants.flatMap(({ name, role, title }, index) => {
    const x = MARGIN + (index % COLUMNS) * (A4.width - 2 * MARGIN - BOX.width)
    const y = top + Math.floor(index / COLUMNS) * ROW
    const at = { x, width: BOX.width, origin: 'top-left' } as const
    return [
      { ...at, y, height: BOX.height, border: true },
      { ...at, y: y + BOX.height, height: BOX.caption, lines: [name, title ?? say(`role.${role}`)] },
    ]
  })
