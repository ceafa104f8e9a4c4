import { mapSchema } from '../input/json-schema.ts'

type Schema = Record<string, unknown>

/**
 * The schema of an answer as the serializer takes it. The copy is kept with its original, because serializers are keyed
 * by their schema.
 */
export function writable(schema: object): object {
  const known = copies.get(schema) ?? (mapSchema(schema, (part) => nullable(nameless(part))) as object)
  copies.set(schema, known)
  return known
}

const copies = new WeakMap<object, object>()

/** `$id` names a schema in the OpenAPI document; to the serializer two uses of one name are a conflict. */
function nameless({ $id, ...rest }: Schema): Schema {
  return typeof $id === 'string' || $id === undefined ? rest : { ...rest, $id }
}

/**
 * A value or null, written as the value: for a union the serializer asks a validator which branch it has, which costs
 * more than writing it.
 */
function nullable(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  const branches = (Array.isArray(anyOf) ? anyOf : []) as Schema[]
  const [value, ...others] = branches.filter(({ type }) => type !== 'null')
  const isPlain = value !== undefined && others.length === 0 && branches.length === 2 && !isBranched(value)
  return isPlain ? { ...rest, ...value, ...nullIn(value) } : schema
}

const isBranched = (schema: Schema): boolean =>
  ['anyOf', 'oneOf', 'allOf', '$ref', 'const'].some((keyword) => keyword in schema)

/** A validator that looks at an outer union needs it in both places. Without a type a value is written as it is. */
const nullIn = ({ type, enum: values }: Schema): Schema => ({
  ...(type !== undefined && { nullable: true }),
  ...(Array.isArray(values) && { enum: [...values, null] }),
})
