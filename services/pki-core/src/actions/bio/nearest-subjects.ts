import { likeness } from '../../rules/bio/likeness.ts'
import { templatesAfter } from '../../store/bio/subjects.ts'
import type { BioDependencies } from './dependencies.ts'
import { openTemplate } from './open-template.ts'

/** A subject, and how like its face is. */
interface Near {
  readonly id: string
  readonly like: number
}

/** Templates opened at a time, so that a large subscription does not fill the memory. */
const AT_ONCE = 500

/** The two subjects of the subscription whose faces are the most like, the most like first. */
export async function nearest(
  { context, engine }: BioDependencies,
  subscriptionId: string,
  descriptor: Float32Array,
): Promise<readonly Near[]> {
  let [best, after]: [readonly Near[], string] = [[], '']
  for (;;) {
    const rows = await templatesAfter(context.store.db, { subscriptionId, engine: engine.name, after }, AT_ONCE)
    const found = rows.flatMap((row) => {
      const template = openTemplate(context, row)
      return template ? [{ id: row.id, like: likeness(template, descriptor) }] : []
    })
    best = [...best, ...found].sort((one, other) => other.like - one.like).slice(0, 2)
    if (rows.length < AT_ONCE) return best
    after = rows.at(-1)!.id
  }
}
