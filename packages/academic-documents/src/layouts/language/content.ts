// The language of the layouts: elements in order, choices, occurrences and attributes. A layout is read like the norm:
//
//   const rg = sequence(element('Numero', numeroRg), optional(element('OrgaoExpedidor', texto)), element('UF', uf))
import type { Simple } from './simple.ts'

type Minimum = 0 | 1
type Maximum = 1 | 'many'

interface Occurring {
  readonly min: Minimum
  readonly max: Maximum
}

/** An element in its place. `help` is for users, in Portuguese. */
export interface Element<Name extends string = string, Type extends ElementType = ElementType> extends Occurring {
  readonly is: 'element'
  readonly name: Name
  readonly type: Type
  readonly help?: string
}

export interface Sequence<Parts extends readonly Particle[] = readonly Particle[]> extends Occurring {
  readonly is: 'sequence'
  readonly parts: Parts
}

export interface Choice<Parts extends readonly Particle[] = readonly Particle[]> extends Occurring {
  readonly is: 'choice'
  readonly parts: Parts
}

/** The place of `ds:Signature` elements: nobody gives them as data, they are made by signing. */
export interface Signatures extends Occurring {
  readonly is: 'signatures'
}

/** Any element of other namespaces (`other`) or of all (`all`). `strict`: only elements that the schema knows. */
export interface Anything extends Occurring {
  readonly is: 'anything'
  readonly namespaces: 'other' | 'all'
  readonly strict: boolean
}

export type Particle = Element | Sequence | Choice | Signatures | Anything

export interface Attribute<Type extends Simple<unknown> = Simple<unknown>, Min extends Minimum = Minimum> {
  readonly type: Type
  readonly min: Min
  /** Written by the generator from the layout, never given. */
  readonly fixed?: string
  readonly help?: string
}

export type Attributes = Readonly<Record<string, Attribute>>

/** An element with children, attributes or both. `valued` has text and attributes; without model the element is empty. */
export interface Complex<
  Model extends Particle | undefined = Particle | undefined,
  Given extends Attributes = Attributes,
  Valued extends Simple<unknown> | undefined = Simple<unknown> | undefined,
> {
  readonly is: 'complex'
  readonly model: Model
  readonly attributes: Given
  readonly valued: Valued
  /** Text may stand between the children. */
  readonly mixed?: boolean
}

export type ElementType = Simple<unknown> | Complex

/** What has no attributes of its own. */
export type NoAttributes = Record<never, Attribute>

/** A particle that occurs exactly once, before it is said otherwise. */
type Once<Inner> = Inner & { readonly min: 1; readonly max: 1 }
type Occurs<Inner, Times> = Omit<Inner, keyof Times> & Times

export const element = <const Name extends string, Type extends ElementType>(
  name: Name,
  type: Type,
  help?: string,
): Once<Element<Name, Type>> => ({ is: 'element', name, type, min: 1, max: 1, ...(help !== undefined && { help }) })

export const sequence = <const Parts extends readonly Particle[]>(...parts: Parts): Once<Sequence<Parts>> => ({
  is: 'sequence',
  parts,
  min: 1,
  max: 1,
})

export const choice = <const Parts extends readonly Particle[]>(...parts: Parts): Once<Choice<Parts>> => ({
  is: 'choice',
  parts,
  min: 1,
  max: 1,
})

/** None or one. */
export const optional = <Inner extends Particle>(inner: Inner): Occurs<Inner, { readonly min: 0 }> => ({
  ...inner,
  min: 0,
})
/** One or more. */
export const many = <Inner extends Particle>(inner: Inner): Occurs<Inner, { readonly max: 'many' }> => ({
  ...inner,
  max: 'many',
})
/** None, one or more. */
export const anyNumber = <Inner extends Particle>(
  inner: Inner,
): Occurs<Inner, { readonly min: 0; readonly max: 'many' }> => ({ ...inner, min: 0, max: 'many' })

export const oneSignature = { is: 'signatures', min: 1, max: 1 } as const
export const signatures = { is: 'signatures', min: 1, max: 'many' } as const

export const anything = (namespaces: 'other' | 'all', strict: boolean) =>
  ({ is: 'anything', namespaces, strict, min: 1, max: 1 }) as const

/** An element with children. */
export const complex = <const Model extends Particle>(model: Model): Complex<Model, NoAttributes, undefined> => ({
  is: 'complex',
  model,
  attributes: {},
  valued: undefined,
})

/** The children of an element in order: the usual case. */
export const children = <const Parts extends readonly Particle[]>(...parts: Parts) => complex(sequence(...parts))

export const withAttributes = <
  Model extends Particle | undefined,
  Valued extends Simple<unknown> | undefined,
  const Given extends Attributes,
>(
  type: Complex<Model, NoAttributes, Valued>,
  attributes: Given,
): Complex<Model, Given, Valued> => ({ ...type, attributes })

/** Text with attributes. */
export const valued = <Value extends Simple<unknown>, const Given extends Attributes>(
  value: Value,
  attributes: Given,
): Complex<undefined, Given, Value> => ({ is: 'complex', model: undefined, attributes, valued: value })

/** An element that says something by being there. */
export const empty: Complex<undefined, NoAttributes, undefined> = {
  is: 'complex',
  model: undefined,
  attributes: {},
  valued: undefined,
}

export const required = <Type extends Simple<unknown>>(type: Type, help?: string) =>
  ({ type, min: 1, ...(help !== undefined && { help }) }) as const

export const allowed = <Type extends Simple<unknown>>(type: Type, help?: string) =>
  ({ type, min: 0, ...(help !== undefined && { help }) }) as const
