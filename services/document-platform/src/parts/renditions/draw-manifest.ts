import { type Color, colors, qrObject, type TextStyle } from './ink.ts'
import { maskCpf } from './mask-cpf.ts'
import { momentText, zoneOffset } from './moments.ts'
import type { Fonts, Workbench } from './pdf-library.ts'
import type { ActMethod, ParticipantInfo, RenditionLanguage, SignaturesInfo } from './rendition-info.ts'
import { Sheets } from './sheets.ts'
import { type Say, sayIn } from './texts.ts'

const QR_SIDE = 92
const GAP = 14
const CARD_INDENT = 12
const LABEL_WIDTH = 128
const TIME_WIDTH = 176

const styles = {
  title: { size: 19, font: 'bold', color: colors.accent },
  section: { size: 12.5, font: 'bold', color: colors.accent },
  label: { size: 8.5, color: colors.quiet },
  value: { size: 9.5 },
  name: { size: 10.5, font: 'bold' },
  small: { size: 8.5, color: colors.quiet },
} as const satisfies Record<string, TextStyle>

/** The data, the texts of one language, and the date format. */
interface Voice {
  readonly info: SignaturesInfo
  readonly say: Say
  date(moment: Date): string
}

/** Adds the pages of the manifest to a document. */
export async function drawManifest(
  bench: Workbench,
  fonts: Fonts,
  info: SignaturesInfo,
  language: RenditionLanguage,
): Promise<void> {
  const say = sayIn(language)
  const date = (moment: Date) => momentText(moment, language, zoneOffset(moment, info.timeZone))
  const voice: Voice = { info, say, date }
  const sheets = new Sheets(bench, fonts, (page, pages) => footer(voice, page, pages))
  drawHead(bench, sheets, voice)
  drawSection(sheets, say('manifest.participants'))
  for (const participant of info.participants) drawParticipant(sheets, voice, participant)
  drawSection(sheets, say('manifest.history'))
  for (const event of info.events) drawEvent(sheets, voice, event)
  sheets.finish()
}

function footer({ info, say, date }: Voice, page: number, pages: number): readonly [left: string, right: string] {
  const left = [say('page.key', { key: info.key }), say('manifest.generated', { date: date(info.generatedAt) })]
  return [left.join('  ·  '), say('page.number', { page, pages })]
}

/** Title and facts at the left, the QR code at the right, the address below both. */
function drawHead(bench: Workbench, sheets: Sheets, { info, say, date }: Voice): void {
  const beside = sheets.width - QR_SIDE - GAP
  const qr = qrObject(bench, info.verificationUrl)
  sheets.ink.object(qr, [QR_SIDE, 0, 0, QR_SIDE, sheets.left + sheets.width - QR_SIDE, sheets.y - QR_SIDE])
  const qrBottom = sheets.y - QR_SIDE
  sheets.lines(say('manifest.title'), styles.title, { width: beside })
  sheets.skip(6)
  const facts: readonly (readonly [string, string | undefined, Color?])[] = [
    [say('manifest.document'), info.documentName],
    [say('manifest.key'), info.key],
    [say('manifest.status'), say(`status.${info.status}`), statusColors[info.status]],
    [say('manifest.organization'), info.organizationName],
    [say('manifest.created'), date(info.createdAt)],
    [say('manifest.created-by'), info.createdBy],
    [say('manifest.concluded'), info.concludedAt && date(info.concludedAt)],
    [say('manifest.expires'), info.expiresAt && date(info.expiresAt)],
    [say('manifest.digest'), info.originalDigest],
  ]
  for (const [label, value, color] of facts) if (value) drawFact(sheets, label, value, beside, color)
  sheets.y = Math.min(sheets.y, qrBottom)
  sheets.skip(6)
  sheets.lines(say('manifest.verify', { url: info.verificationUrl }), { ...styles.value, color: colors.accent })
}

function drawFact(sheets: Sheets, label: string, value: string, width: number, color?: Color): void {
  const style: TextStyle = color ? { ...styles.value, font: 'bold', color } : styles.value
  sheets.row(
    [label, styles.label, { width: LABEL_WIDTH }],
    [value, style, { indent: LABEL_WIDTH, width: width - LABEL_WIDTH }],
  )
}

function drawSection(sheets: Sheets, title: string): void {
  sheets.skip(16)
  sheets.room(48)
  sheets.lines(title, styles.section)
  sheets.skip(3)
  sheets.rule()
  sheets.skip(5)
}

/** A participant stays on one page: the name at the left, what was done at the right, particulars below. */
function drawParticipant(sheets: Sheets, voice: Voice, participant: ParticipantInfo): void {
  const { say } = voice
  const details = participantDetails(voice, participant)
  const width = sheets.width - CARD_INDENT
  const half = width * 0.62
  const color = actionColors[participant.status]
  const name: TextStyle = styles.name
  sheets.room(
    sheets.heightOf([[participant.name, name, half], ...details.map((text) => [text, styles.small, width] as const)]) +
      12,
  )
  const top = sheets.y
  sheets.row(
    [participant.name, name, { indent: CARD_INDENT, width: half }],
    [
      say(`action.${participant.role}.${participant.status}`),
      { size: 9.5, font: 'bold', color },
      { indent: CARD_INDENT + half, width: width - half, align: 'right' },
    ],
  )
  for (const text of details) sheets.lines(text, styles.small, { indent: CARD_INDENT, width })
  sheets.ink.rectangle(sheets.left, sheets.y - 1, 3, top - sheets.y + 1, color)
  sheets.skip(11)
}

function participantDetails({ say, date }: Voice, participant: ParticipantInfo): string[] {
  const { role, title, ruleName, identifier, email, actedAt, how, ipAddress, refusalReason } = participant
  const cpf = identifier === undefined ? undefined : maskCpf(identifier)
  return [
    joined([say(`role.${role}`), title, ruleName]),
    joined([cpf && say('mark.cpf', { cpf }), email]),
    joined([actedAt && date(actedAt), ipAddress && say('how.address', { address: ipAddress })]),
    joined(how ? meansOf(say, how) : []),
    refusalReason ? say('how.reason', { reason: refusalReason }) : '',
  ].filter(Boolean)
}

function meansOf(say: Say, how: ActMethod): (string | undefined)[] {
  if (how.kind === 'electronic') return [say(`how.electronic.${how.confirmedBy}`)]
  const { issuer, serialNumber } = how
  return [say('how.certificate', { issuer }), serialNumber && say('how.serial', { serial: serialNumber })]
}

const joined = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('  ·  ')

function drawEvent(
  sheets: Sheets,
  { say, date }: Voice,
  { at, type, actor, detail }: SignaturesInfo['events'][number],
): void {
  sheets.row(
    [date(at), styles.label, { width: TIME_WIDTH }],
    [
      joined([say(`event.${type}`), actor, detail]),
      { size: 9 },
      { indent: TIME_WIDTH, width: sheets.width - TIME_WIDTH },
    ],
  )
}

const statusColors: Readonly<Record<SignaturesInfo['status'], Color>> = {
  Pending: colors.waiting,
  FlowConcluded: colors.waiting,
  Concluded: colors.good,
  Refused: colors.bad,
  Canceled: colors.bad,
  Expired: colors.bad,
}

const actionColors: Readonly<Record<ParticipantInfo['status'], Color>> = {
  Created: colors.quiet,
  Pending: colors.waiting,
  Completed: colors.good,
  Refused: colors.bad,
}
