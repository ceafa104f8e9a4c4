// What operators are told of besides the checks of readiness: calls of holders found it out.

/** What is known of a provider that holders are sent to. */
export interface ProviderCondition {
  readonly serviceName: string
  /** Whether the hub could read its row. */
  readonly isOpen: boolean
  readonly isAskedForHolders: boolean
  readonly acceptsHub: boolean
}

/** In the form of a check of readiness, which it is not. */
interface NoticeCondition {
  readonly name: string
  readonly ok: boolean
}

/** Name of a condition, the provider's behind it → whether it is well. */
const rules: Readonly<Record<string, (provider: ProviderCondition) => boolean>> = {
  'provider-unusable': ({ isOpen }) => isOpen,
  'provider-credentials': ({ acceptsHub }) => acceptsHub,
  'provider-discovery': ({ isAskedForHolders }) => isAskedForHolders,
}

export const noticeConditions = (providers: readonly ProviderCondition[]): readonly NoticeCondition[] =>
  Object.entries(rules).flatMap(([name, isWell]) =>
    providers.map((provider) => ({ name: `${name}:${provider.serviceName}`, ok: isWell(provider) })),
  )
