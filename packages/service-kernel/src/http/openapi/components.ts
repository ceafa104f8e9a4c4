import type { TSchema } from 'typebox'
import { mapSchema } from '../input/json-schema.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * The schemas an OpenAPI document shares. A schema with an `$id` is written once under that name and referenced
 * elsewhere; one without is inlined.
 */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>()

  /** The schema as it appears in the document. */
  use(schema: TSchema): unknown {
    return mapSchema(schema, (part) => (typeof part.$id === 'string' ? this.#named(part.$id, part) : part))
  }

  get schemas(): Readonly<Record<string, JsonSchema>> {
    const byName = [...this.#schemas].sort(([a], [b]) => a.localeCompare(b))
    return Object.fromEntries(byName)
  }

  #named(name: string, { $id: _id, ...schema }: Record<string, unknown>): JsonSchema {
    const known = this.#schemas.get(name)
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called "${name}".`)
    }
    this.#schemas.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }
}
