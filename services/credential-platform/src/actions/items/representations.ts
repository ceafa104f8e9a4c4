// Documents as people see them (RVDD, RVHE, RVCE): drawn from the signed XML when they are first asked for, and kept.
import { readDocument, uniqueUrl } from '@chancela/academic-documents/layouts'
import {
  type PreviewedInput,
  type RepresentationInput,
  RepresentationProblem,
  representCurriculum,
  representDegree,
  representTranscript,
} from '@chancela/academic-documents/representations'
import { signingProgress } from '@chancela/academic-documents/signatures'
import { isUniqueViolation } from '@chancela/service-kernel/store'
import { holderOf } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import { shownBody } from '../../rules/representation-data.ts'
import type { DocumentTables } from '../../store/document-tables.ts'
import { addFileVersion, newestFile } from '../../store/documents.ts'
import { templateFor } from '../../store/representation-templates.ts'

type ItemFile = DocumentTables['item_file']

type Draw = (input: RepresentationInput<never>) => Buffer

/** What is drawn of each kind, from which file, and with whose templates. */
const kinds = {
  rvdd: { kind: 'RVDD', xml: 'public-xml', draw: representDegree as Draw },
  rvhe: { kind: 'RVHE', xml: 'xml', draw: representTranscript as Draw },
  rvce: { kind: 'RVCE', xml: 'xml', draw: representCurriculum as Draw },
} as const

export type RepresentationName = keyof typeof kinds

export const isRepresentation = (name: string): name is RepresentationName => Object.hasOwn(kinds, name)

/** An item that may be shown. */
export interface Represented {
  readonly id: string
  readonly subscription_id: string
  readonly institute_id: string
  readonly concluded_at: string | null
  readonly code: string | null
}

/** The file; undefined of an item that is not concluded. */
export async function representation(
  context: Context,
  item: Represented,
  name: RepresentationName,
): Promise<ItemFile | undefined> {
  const known = await newestFile(context.store.db, item.id, name)
  const source = known ? undefined : await sourceOf(context, item, name)
  return source ? kept(context, source, name, source.madeAt) : known
}

interface Source extends Shown {
  readonly xml: string
}

/** What it is drawn from; undefined where there is nothing yet. */
export async function sourceOf(
  { store }: Context,
  item: Represented,
  name: RepresentationName,
): Promise<Source | undefined> {
  const { concluded_at, code } = item
  if (concluded_at === null || code === null) return undefined
  const xml = await newestFile(store.db, item.id, kinds[name].xml)
  return xml && { ...item, code, madeAt: new Date(concluded_at), xml: xml.digest }
}

/** Draws and keeps it. Where somebody did so at the same moment, or nothing differs, there is one version of it. */
async function kept(
  context: Context,
  source: Source,
  name: RepresentationName,
  at: Date,
): Promise<ItemFile | undefined> {
  const { db } = context.store
  const { digest, size } = await context.blobs.put(await drawn(context, source, name, source.xml))
  const file = { item_id: source.id, name, digest, bytes: size, media_type: 'application/pdf' }
  try {
    // The version is that after the one compared: of two who draw at once, the second is told by the store.
    const newest = await newestFile(db, source.id, name)
    if (newest?.digest !== digest) await addFileVersion(db, file, newest, at)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
  return newestFile(db, source.id, name)
}

/** The same by the template of today; versions before stay. Undefined of an item that is not concluded. */
export async function redrawn(
  context: Context,
  item: Represented,
  name: RepresentationName,
  now: Date,
): Promise<ItemFile | undefined> {
  const source = await sourceOf(context, item, name)
  return source && kept(context, source, name, now)
}

type Shown = Represented & { readonly code: string; readonly madeAt: Date }

/** What a representation shows, read from the bytes that were signed. */
export async function shownOf({ store, blobs }: Context, item: Shown, digest: string): Promise<PreviewedInput> {
  const bytes = await blobs.read(digest)
  const { document } = readDocument(bytes)
  if (!document) throw new Error(`The signed XML ${digest} is not valid by its layout.`)
  const { public_url } = await store.db
    .selectFrom('institute')
    .select('public_url')
    .where('id', '=', item.institute_id)
    .executeTakeFirstOrThrow()
  return {
    code: item.code,
    url: uniqueUrl(public_url, item.code) ?? '',
    data: shownBody(document.data) as never,
    signatories: signatoriesIn(bytes),
    madeAt: item.madeAt,
  }
}

async function drawn(context: Context, item: Shown, name: RepresentationName, digest: string): Promise<Buffer> {
  const { kind, draw } = kinds[name]
  const shown = await shownOf(context, item, digest)
  const template = await templateFor(context.store.db, item, kind)
  try {
    return draw({ ...shown, ...(template && { template: JSON.parse(template.content) }) })
  } catch (error) {
    if (error instanceof RepresentationProblem) throw refuse('representation-failed', { reason: error.message }, error)
    throw error
  }
}

const roles: Readonly<Record<string, string>> = {
  issuer: 'Instituição emissora',
  registrar: 'Instituição registradora',
}

/** The people who signed, by the names of their certificates. */
const signatoriesIn = (bytes: Uint8Array) =>
  signingProgress(bytes).steps.flatMap(({ step, signatures }) =>
    step.certificate === 'eCnpj'
      ? []
      : signatures.map(({ certificate }) => ({
          name: holderOf(certificate).name ?? '',
          role: roles[step.party] ?? '',
        })),
  )
