// Which files people may bring to the sessions of a subscription.
import { invalidField } from '@chancela/service-kernel/errors'
import type { FileValidationRequest, FileValidationView } from '../../contract/file-validation.ts'
import { isPattern } from '../../parts/files/name-pattern.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { FileRuleRow } from '../../store/file-rule-tables.ts'
import { deleteFileRule, fileTokenContext, findFileRule, putFileRule } from '../../store/file-rules.ts'
import { authentication, type Dependencies, requireOwn } from '../webhooks/subscription-webhook.ts'

const view = ({ name_pattern, url, auth_type, sealed_token }: FileRuleRow): FileValidationView => ({
  namePattern: name_pattern,
  url,
  authType: auth_type,
  hasToken: sealed_token !== null,
})

const absent = (id: string) => refuse('EntityNotFound', { entity: 'FileValidation', subscriptionId: id })

export async function readFileValidation({ context }: Dependencies, caller: Caller, id: string) {
  const row = await findFileRule(context.store.db, requireOwn(caller, id))
  if (!row) throw absent(id)
  return view(row)
}

export async function putFileValidation(
  { context, webhookPolicy }: Dependencies,
  caller: Caller,
  id: string,
  request: FileValidationRequest,
  now: Date,
): Promise<FileValidationView> {
  const { store, secrets } = context
  const ownerId = requireOwn(caller, id)
  const { namePattern = null, url = null } = request
  if (namePattern !== null && !isPattern(namePattern)) throw invalidField('namePattern', 'is no regular expression')
  const refusal = url === null ? undefined : webhookPolicy.refusesUrl(url)
  if (refusal !== undefined) throw refuse('WebhookUrlNotAllowed', { reason: refusal })
  const row = await store.transaction(async (tx): Promise<FileRuleRow> => {
    const known = await findFileRule(tx, ownerId)
    const has = known && { authType: known.auth_type, hasToken: known.sealed_token !== null }
    const { authType, token } = authentication(request, has)
    const sealed = token ? secrets.seal(token, fileTokenContext(ownerId)) : null
    const put = {
      subscription_id: ownerId,
      name_pattern: namePattern,
      url,
      auth_type: authType,
      sealed_token: token === undefined ? known!.sealed_token : sealed,
      updated_at: now.toISOString(),
    }
    await putFileRule(tx, put)
    return put
  })
  return view(row)
}

export async function deleteFileValidation({ context }: Dependencies, caller: Caller, id: string): Promise<void> {
  if (!(await deleteFileRule(context.store.db, requireOwn(caller, id)))) throw absent(id)
}
