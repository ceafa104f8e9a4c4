import type { FrameworkFailure } from '../../errors/index.ts'
import type { Failure } from '../failure.ts'
import type { Kernel } from '../kernel.ts'
import { conditionsOf } from '../limits/admission.ts'
import type { RouteShape } from '../route.ts'

/** All failures of a route: its own refusals, and those of the framework before it. */
export function failuresOf(kernel: Kernel, route: RouteShape): readonly Failure[] {
  const own = (route.refusals ?? []).map((code) => refusalOf(kernel, code))
  const around = frameworkFailuresOf(kernel, route).map((kind) => kernel.failures.named(kind))
  return [...own, ...around].filter(isFirst)
}

const isFirst = ({ code, status }: Failure, at: number, all: readonly Failure[]): boolean =>
  all.findIndex((other) => other.code === code && other.status === status) === at

function refusalOf(kernel: Kernel, code: string): Failure {
  const { status, message } = kernel.vocabulary[code]!
  return { kind: 'refusal', code, status, message }
}

function frameworkFailuresOf(kernel: Kernel, route: RouteShape): readonly FrameworkFailure[] {
  const { limit, scheme, counted } = conditionsOf(kernel, route)
  const readsBody = route.body !== undefined || route.consumes !== undefined
  const validates = route.params !== undefined || route.query !== undefined || route.headers !== undefined
  const conditions: readonly (readonly [FrameworkFailure, boolean])[] = [
    ['validation', validates],
    ['invalid-body', readsBody],
    ['invalid-json', readsBody],
    ['unsupported-media-type', readsBody],
    ['body-too-large', readsBody],
    ['unauthorized', scheme !== undefined],
    ['rate-limited', limit !== undefined],
    ['busy', counted],
    ['internal', true],
  ]
  return conditions.flatMap(([kind, applies]) => (applies ? [kind] : []))
}
