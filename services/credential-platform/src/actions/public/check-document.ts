// A full report on an XML that anybody brings; nothing of it is kept.
import { createHash } from 'node:crypto'
import { judge as judgeLayout, type LayoutVerdict, readDocument } from '@chancela/academic-documents/layouts'
import { type DocumentReport, inspectDocument } from '@chancela/academic-documents/signatures'
import type { Context } from '../../context.ts'
import type { CheckReport } from '../../contract/public.ts'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { documentFacts } from '../../rules/public-record.ts'
import { findPublicItem, isFileOf, newestSignedList } from '../../store/public-items.ts'
import { standingOf } from './read-public.ts'

export interface Dependencies {
  readonly context: Context
  readonly signing: Pick<Signing, 'trust'>
}

/** Whoever sends a broken document learns the first of its problems. */
const MOST_PROBLEMS = 100

export async function checkDocument(
  { context, signing }: Dependencies,
  bytes: Buffer,
  now: Date,
): Promise<CheckReport> {
  const layout = judgeLayout(bytes, { mostProblems: MOST_PROBLEMS })
  const report = await inspectDocument(bytes, { judge: await signing.trust.judge(), now })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return {
    verdict: layout.valid ? report.verdict : 'refused',
    judgedAt: now.toISOString(),
    sha256,
    kind: report.kind ?? layout.kind ?? null,
    version: report.version,
    date: report.date,
    signatures: report.signatures.map(signatureOf),
    problems: [...layoutProblems(layout), ...report.problems.map(problemOf)],
    ...(await standing(context, bytes, sha256, now)),
  }
}

const signatureOf = ({ step, name, level, time, report }: DocumentReport['signatures'][number]) => ({
  step,
  name,
  level,
  time: time?.toISOString() ?? null,
  valid: report.indication === 'valid',
})

const layoutProblems = ({ problems }: LayoutVerdict) =>
  problems.map(({ code, path, line, pt, en }) => ({
    code,
    severity: 'error' as const,
    path,
    line: line ?? null,
    text: { pt, en },
  }))

const problemOf = ({ code, severity, text }: DocumentReport['problems'][number]) => ({
  code,
  severity,
  path: null,
  line: null,
  text,
})

/** What became of the document: by the platform's own records, and by the registrar's list. */
async function standing({ store }: Context, bytes: Buffer, sha256: string, now: Date) {
  const { document } = readDocument(bytes)
  const facts = document && documentFacts(document)
  const unknown = { code: facts?.code ?? null, known: false, sameAsIssued: null, standing: null, annulledList: null }
  if (!facts) return unknown
  const item = await findPublicItem(store.db, facts.code)
  const annulledList = await listed(store.db, facts.registeringIes?.code, item?.status === 'Annulled', now)
  if (!item) return { ...unknown, annulledList }
  return {
    ...unknown,
    known: true,
    sameAsIssued: await isFileOf(store.db, item.id, sha256),
    standing: standingOf(item),
    annulledList,
  }
}

async function listed(db: Context['store']['db'], registrar: string | undefined, isAnnulled: boolean, now: Date) {
  const list = registrar === undefined ? undefined : await newestSignedList(db, registrar)
  if (!list) return null
  return {
    sequenceNumber: list.sequence_number,
    maximumNextUpdateDate: list.maximum_next_update_date,
    current: now.toISOString().slice(0, 10) <= list.maximum_next_update_date,
    listed: isAnnulled,
  }
}
