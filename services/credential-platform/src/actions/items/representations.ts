// Documents as people see them (RVDD, RVHE, RVCE): drawn from the signed XML when they are first asked for, and kept.
import { readDocument, uniqueUrl } from '@chancela/academic-documents/layouts'
import {
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
import { addItemFile, newestFile } from '../../store/documents.ts'
import { templateFor } from '../../store/representation-templates.ts'

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
): Promise<DocumentTables['item_file'] | undefined> {
  const { db } = context.store
  const known = await newestFile(db, item.id, name)
  if (known || item.concluded_at === null || item.code === null) return known
  const xml = await newestFile(db, item.id, kinds[name].xml)
  if (!xml) return undefined
  const pdf = await drawn(context, { ...item, code: item.code, madeAt: new Date(item.concluded_at) }, name, xml.digest)
  const { digest, size } = await context.blobs.put(pdf)
  const file = { item_id: item.id, name, digest, bytes: size, media_type: 'application/pdf' }
  try {
    await context.store.transaction((tx) => addItemFile(tx, file, new Date(item.concluded_at!)))
  } catch (error) {
    // Somebody asked for it at the same moment.
    if (!isUniqueViolation(error)) throw error
  }
  return newestFile(db, item.id, name)
}

async function drawn(
  { store, blobs }: Context,
  item: Represented & { readonly code: string; readonly madeAt: Date },
  name: RepresentationName,
  digest: string,
): Promise<Buffer> {
  const { kind, draw } = kinds[name]
  const bytes = await blobs.read(digest)
  const { document } = readDocument(bytes)
  if (!document) throw new Error(`The signed XML ${digest} is not valid by its layout.`)
  const { public_url } = await store.db
    .selectFrom('institute')
    .select('public_url')
    .where('id', '=', item.institute_id)
    .executeTakeFirstOrThrow()
  const template = await templateFor(store.db, item, kind)
  try {
    return draw({
      code: item.code,
      url: uniqueUrl(public_url, item.code) ?? '',
      data: shownBody(document.data) as never,
      signatories: signatoriesIn(bytes),
      madeAt: item.madeAt,
      ...(template && { template: JSON.parse(template.content) }),
    })
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
