import type { TSchema } from 'typebox'
import { branchesOf, keywordsOf, propertiesOf, typesOf } from './json-schema.ts'

/** Deviations of clients that a service tolerates. Each defaults to false. */
export interface Tolerance {
  /** Names of properties and of query values in any case. */
  readonly anyCaseNames?: boolean
  /** Taken for absent: `null` where the schema does not admit it. */
  readonly nullIsAbsent?: boolean
  /** Taken for absent: empty text, in every field. */
  readonly emptyStringIsAbsent?: boolean
  /** No body at all counts as `{}`, so that the missing fields are named. */
  readonly noBodyIsEmpty?: boolean
}

type Pruning = (value: unknown) => void

/** Removes values that the service treats as absent. Undefined when there is nothing to tolerate. */
export function dropAbsent(schema: TSchema, tolerance: Tolerance): Pruning | undefined {
  if (!tolerance.nullIsAbsent && !tolerance.emptyStringIsAbsent) return undefined
  return pruningOf(schema, tolerance)
}

function pruningOf(schema: TSchema, tolerance: Tolerance): Pruning | undefined {
  const fields = propertiesOf(schema).map(([name, property]) => ({
    name,
    isAbsent: absenceOf(property, tolerance),
    prune: pruningOf(property, tolerance),
  }))
  const items = branchesOf(schema).flatMap((branch) => keywordsOf(branch).items ?? [])
  const pruneItem = items[0] && pruningOf(items[0], tolerance)
  if (fields.length === 0 && !pruneItem) return undefined

  return (value) => {
    if (Array.isArray(value)) for (const item of value) pruneItem?.(item)
    else if (isRecord(value)) pruneFields(value, fields)
  }
}

type Field = { name: string; isAbsent: (value: unknown) => boolean; prune: Pruning | undefined }

function pruneFields(value: Record<string, unknown>, fields: readonly Field[]): void {
  for (const { name, isAbsent, prune } of fields) {
    if (isAbsent(value[name])) delete value[name]
    else prune?.(value[name])
  }
}

function absenceOf(schema: TSchema, tolerance: Tolerance): (value: unknown) => boolean {
  const dropsNull = tolerance.nullIsAbsent === true && !admitsNull(schema)
  const dropsEmpty = tolerance.emptyStringIsAbsent === true
  return (value) => (dropsNull && value === null) || (dropsEmpty && value === '')
}

const admitsNull = (schema: TSchema): boolean =>
  branchesOf(schema).some((branch) => {
    const { const: only, enum: values } = keywordsOf(branch)
    const types = typesOf(branch)
    return only === null || (values?.includes(null) ?? types.includes('null')) || isUnconstrained(branch)
  })

const isUnconstrained = (schema: TSchema): boolean => {
  const { type, const: only, enum: values, properties } = keywordsOf(schema)
  return type === undefined && only === undefined && values === undefined && properties === undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
