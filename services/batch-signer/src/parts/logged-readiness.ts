import type { NamedCheck, Readiness, ReadinessVerdict } from '@chancela/service-kernel/health'
import type { Logger } from '@chancela/service-kernel/http'

/** The same readiness, with every change of a check logged once: a failure as a warning with its detail. */
export function loggedReadiness(readiness: Readiness, logger: Logger): Readiness {
  let before: ReadonlyMap<string, NamedCheck> = new Map()
  const compare = ({ checks }: ReadinessVerdict): void => {
    for (const check of checks) logChange(logger, before.get(check.name), check)
    before = new Map(checks.map((check) => [check.name, check]))
  }
  return {
    add: (name, check, options) => readiness.add(name, check, options),
    remove: (name) => readiness.remove(name),
    verdict: async () => {
      const verdict = await readiness.verdict()
      compare(verdict)
      return verdict
    },
  }
}

function logChange(logger: Logger, before: NamedCheck | undefined, { name, ok, detail }: NamedCheck): void {
  if (!ok && before?.ok !== false) logger.warn({ check: name, detail }, 'readiness: a check is red')
  if (ok && before?.ok === false) logger.info({ check: name }, 'readiness: a check is green again')
}
