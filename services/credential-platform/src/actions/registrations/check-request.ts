// The checks of a document that another institution made, before anything of it is kept (credentials-platform facts 2.3).
import { readDocument } from '@chancela/academic-documents/layouts'
import { type InspectOptions, inspectDocument } from '@chancela/academic-documents/signatures'
import type { FieldErrors } from '@chancela/service-kernel/errors'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { refuse } from '../../rules/refuse.ts'
import { type RequestFacts, requestFacts } from '../../rules/request-facts.ts'

type Expected = Pick<InspectOptions, 'kind' | 'institutions' | 'sent'>

/** Most problems that are told of one document. */
const MOST_TOLD = 50

/** Refuses a document with every reason at once. What cannot be judged now is refused, too: it may be sent again. */
export async function requireSound(
  { trust }: Pick<Signing, 'trust'>,
  bytes: Buffer,
  expected: Expected,
  now: Date,
): Promise<NonNullable<ReturnType<typeof readDocument>['document']>> {
  const { verdict, document } = readDocument(bytes)
  const report = await inspectDocument(bytes, { ...expected, judge: await trust.judge(), now })
  const problems = [
    ...verdict.problems.map(({ code, path, line, en, pt }) => ({ code, text: `${path}, ${line ?? 0}: ${en} (${pt})` })),
    ...report.problems
      .filter(({ severity }) => severity !== 'notice')
      .map(({ code, text: { en, pt } }) => ({ code, text: `${en} (${pt})` })),
  ]
  if (problems.length > 0 || !document) throw refuse('document-refused', { fields: byCode(problems) })
  return document
}

/** The reasons of a refusal under their stable codes. */
function byCode(problems: readonly { readonly code: string; readonly text: string }[]): FieldErrors {
  const fields: Record<string, string[]> = {}
  for (const { code, text } of problems.slice(0, MOST_TOLD)) fields[code] = [...(fields[code] ?? []), text]
  return fields
}

/** The facts of an academic documentation that is closed, in order and of an issuer with this CNPJ, if one is named. */
export async function requireRequest(
  signing: Pick<Signing, 'trust'>,
  bytes: Buffer,
  now: Date,
  issuerCnpj?: string,
): Promise<RequestFacts> {
  const institutions = issuerCnpj === undefined ? {} : { institutions: { issuer: issuerCnpj } }
  const facts = requestFacts(
    await requireSound(signing, bytes, { kind: 'academicDocumentation', ...institutions }, now),
  )
  if (!facts) throw refuse('document-refused', { fields: { 'kind-unknown': ['It names no degree.'] } })
  return facts
}
