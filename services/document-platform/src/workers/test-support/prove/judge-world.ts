import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReceivedMail } from '@chancela/testkit/mail'
import { runTool } from '@chancela/testkit/tools'
import type { Confirmed, Deeds } from './deeds.ts'
import { judgeAccounts } from './judge-accounts.ts'
import { addressesOf, judgeGenerations } from './judge-generations.ts'
import { type PlatformClient, type TheirDocument, userOf } from './platform-client.ts'
import type { Receiver } from './receivers.ts'

/** Result of the checks. */
export interface Judgement {
  readonly violations: readonly string[]
  readonly documents: number
  /** Changes that happened, each with its event. */
  readonly events: number
  readonly deliveries: number
  /** Deliveries of an event to a receiver beyond the first. */
  readonly repeated: number
  readonly pdfsJudged: number
  /** Users who were invited, and how often their passwords were changed. */
  readonly accounts: number
  readonly passwordChanges: number
  readonly generations: number
  readonly generated: number
  readonly auditEntries: number
  /** How often the audit was verified after a kill. */
  readonly chainsFollowed: number
  readonly mails: number
  /** Mails that were handed over again, under the same Message-ID. */
  readonly mailsRepeated: number
}

/** Every this many signed documents, an independent program validates one as well. */
const STRANGER_EVERY = 10

/** All documents, read again up to 100 times while an ended flow still waits for its conclusion. */
export async function settledDocuments(client: PlatformClient): Promise<readonly TheirDocument[]> {
  const all = await client.all()
  const read = async () => {
    const documents: TheirDocument[] = []
    for (const { id } of all) documents.push(await client.read(id))
    return documents
  }
  for (let tries = 0; tries < 100; tries += 1) {
    const documents = await read()
    if (!documents.some(isHalfDone)) return documents
    await sleep(100)
  }
  return read()
}

/** Whether all receivers have got all expected events. */
export function isEverythingTold(documents: readonly TheirDocument[], receivers: readonly Receiver[]): boolean {
  const expected = documents.flatMap(eventsOf)
  return receivers.every(({ delivered }) => {
    const told = new Set(delivered.map(({ body }) => eventOf(body)))
    return expected.every((event) => told.has(event))
  })
}

/** Whether the mail server has got a mail for each participant of a generated document. */
export function isEveryMailSent(documents: readonly TheirDocument[], { deeds, inbox }: Witnesses): boolean {
  const reached = new Set(inbox.flatMap(({ to }) => to.map(({ address }) => address)))
  return addressesOf(deeds.generations, documents).every((address) => reached.has(address))
}

/** What outlives the processes of a world. */
interface Witnesses {
  readonly deeds: Deeds
  readonly receivers: readonly Receiver[]
  readonly inbox: readonly ReceivedMail[]
}

/** Compares the confirmed changes, the documents, their files, the accounts, the audit, and what was sent. */
export async function judgeWorld(
  client: PlatformClient,
  documents: readonly TheirDocument[],
  { deeds, receivers, inbox }: Witnesses,
): Promise<Judgement> {
  const expected = new Set(documents.flatMap(eventsOf))
  const files = await judgeFiles(client, documents)
  const accounts = await judgeAccounts(client.accounts, deeds.accounts, documents, inbox)
  const generations = await judgeGenerations(client, deeds.generations, documents, inbox)
  return {
    ...accounts,
    ...generations,
    violations: [
      ...deeds.failures,
      ...deeds.confirmed.flatMap((deed) => lostDeed(deed, documents)),
      ...documents.filter(isHalfDone).map(({ id }) => `${id} was not concluded`),
      ...files.violations,
      ...receivers.flatMap((receiver) => judgeReceiver(receiver, expected)),
      ...accounts.violations,
      ...generations.violations,
    ],
    documents: documents.length,
    events: expected.size,
    deliveries: receivers.reduce((sum, { delivered }) => sum + delivered.length, 0),
    repeated: receivers.reduce((sum, { delivered }) => sum + delivered.length - distinct(delivered), 0),
    pdfsJudged: files.judged,
    mails: inbox.length,
    mailsRepeated: inbox.length - new Set(inbox.map(({ messageId }) => messageId)).size,
  }
}

/** A deleted document is not concluded any more. */
const isHalfDone = ({ status, isDeleted }: TheirDocument): boolean => status === 'FlowConcluded' && !isDeleted

const distinct = (delivered: Receiver['delivered']): number => new Set(delivered.map(({ id }) => id)).size

/** The events a document's state implies. */
function eventsOf({ id, status, isDeleted, flowActions }: TheirDocument): readonly string[] {
  const acts = flowActions.flatMap((action) => {
    if (action.status === 'Completed')
      return [`${action.type === 'Signer' ? 'DocumentSigned' : 'DocumentApproved'} ${id} ${action.id}`]
    return action.status === 'Refused' ? [`DocumentRefused ${id} ${action.id}`] : []
  })
  return [
    `DocumentsCreated ${id}`,
    ...acts,
    ...(status === 'Canceled' ? [`DocumentCanceled ${id}`] : []),
    ...(status === 'Concluded' ? [`DocumentConcluded ${id}`] : []),
    ...(isDeleted ? [`DocumentDeleted ${id}`] : []),
  ]
}

interface EventData {
  readonly id?: string
  readonly documents?: readonly { readonly id: string }[]
  readonly signature?: { readonly flowActionId: string }
  readonly approval?: { readonly flowActionId: string }
  readonly refusal?: { readonly flowActionId: string }
}

/** The same key for a received event. */
function eventOf(body: string): string {
  const { type, data } = JSON.parse(body) as { readonly type: string; readonly data: EventData }
  const action = (data.signature ?? data.approval ?? data.refusal)?.flowActionId
  return [type, data.id ?? data.documents![0]!.id, ...(action ? [action] : [])].join(' ')
}

function judgeReceiver({ manner, delivered }: Receiver, expected: ReadonlySet<string>): readonly string[] {
  const told = new Map<string, { readonly ids: Set<string>; readonly bodies: Set<string> }>()
  for (const { id, body } of delivered) {
    const event = eventOf(body)
    const known = told.get(event) ?? { ids: new Set(), bodies: new Set() }
    told.set(event, known)
    known.ids.add(id)
    known.bodies.add(body)
  }
  return [
    ...[...expected].filter((event) => !told.has(event)).map((event) => `${manner} was not told: ${event}`),
    ...[...told.keys()]
      .filter((event) => !expected.has(event))
      .map((event) => `${manner} was told what is not: ${event}`),
    ...[...told].filter(([, { ids }]) => ids.size > 1).map(([event]) => `${manner} knows several ids of: ${event}`),
    ...[...told]
      .filter(([, { bodies }]) => bodies.size > 1)
      .map(([event]) => `${manner} got several texts of: ${event}`),
  ]
}

/** A confirmed change that the service has lost. */
function lostDeed({ documentId, change, person }: Confirmed, documents: readonly TheirDocument[]): readonly string[] {
  const document = documents.find(({ id }) => id === documentId)
  if (!document) return [`${documentId} was created and is not there`]
  const action = person && document.flowActions.find(({ user }) => user.identifier === userOf(person).identifier)
  const isThere: Readonly<Record<Confirmed['change'], boolean>> = {
    created: true,
    signed: action?.status === 'Completed',
    approved: action?.status === 'Completed',
    refused: action?.status === 'Refused' && document.status === 'Refused',
    canceled: document.status === 'Canceled',
    deleted: document.isDeleted,
  }
  return isThere[change] ? [] : [`${documentId} was ${change} and is ${document.status}`]
}

/** No document is half signed: rows, records and file must have the same signatures. */
async function judgeFiles(client: PlatformClient, documents: readonly TheirDocument[]) {
  const violations: string[] = []
  let judged = 0
  const signed = documents.filter(
    ({ status, isDeleted }) => !isDeleted && (status === 'Pending' || status === 'Concluded'),
  )
  for (const { id, status, flowActions } of signed) {
    const expected = flowActions.filter((action) => action.type === 'Signer' && action.status === 'Completed').length
    const file = await client.content(id)
    const inFile = file?.toString('latin1').match(/\/ByteRange/g)?.length ?? 0
    const onRecord = await client.signatures(id)
    if (inFile !== expected || onRecord !== expected)
      violations.push(`${id} has ${expected} signatures, ${onRecord} on record, ${inFile} in its file`)
    const isDone = flowActions.every((action) => action.status === 'Completed')
    if (isDone !== (status === 'Concluded')) violations.push(`${id} is ${status}, its actions are not`)
    if (!file) continue
    judged += 1
    if (judged % STRANGER_EVERY === 1) violations.push(...(await pdfsigProblem(id, file, expected)))
  }
  return { violations, judged: Math.ceil(judged / STRANGER_EVERY) }
}

async function pdfsigProblem(id: string, file: Buffer, expected: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-prove-'))
  try {
    const path = join(folder, 'signed.pdf')
    writeFileSync(path, file)
    const { text } = await runTool('pdfsig', ['-nocert', path])
    const valid = text.match(/Signature is Valid\./g)?.length ?? 0
    return valid === expected ? [] : [`pdfsig finds ${valid} of ${expected} valid signatures in ${id}`]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
