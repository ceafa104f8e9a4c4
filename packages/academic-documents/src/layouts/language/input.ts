// What a caller gives to have a document made, computed by the compiler from the layout itself: there is no second list
// of fields that could drift from the first.
import type { Attributes, Choice, Complex, Element, Particle, Sequence, Signatures } from './content.ts'
import type { KeyOf } from './names.ts'
import type { Simple } from './simple.ts'

// Values stand in the templates of mapped types, which the compiler looks into only when a field is used: layouts are
// nested deeper than it would follow at once.

type Flat<Fields> = Fields extends unknown ? { [Key in keyof Fields]: Fields[Key] } : never

type Occurring<Part extends Element> = Part['max'] extends 'many'
  ? readonly ValueOf<Part['type']>[]
  : ValueOf<Part['type']>

/** JSON has no `undefined`; code that assembles input often does. */
type ElementFields<Part extends Element> = Part['min'] extends 0
  ? { readonly [Name in KeyOf<Part['name']>]?: Occurring<Part> | undefined }
  : { readonly [Name in KeyOf<Part['name']>]: Occurring<Part> }

type Together<Parts extends readonly Particle[], Before = unknown> = Parts extends readonly [
  infer First extends Particle,
  ...infer Rest extends readonly Particle[],
]
  ? Together<Rest, Before & FieldsOf<First>>
  : Before

/** Of a list of unknown length nothing is said: without this end the compiler would follow the language into itself. */
type OneOf<Parts extends readonly Particle[]> = number extends Parts['length']
  ? unknown
  : Parts[number] extends infer Part
    ? Part extends Particle
      ? Flat<FieldsOf<Part>>
      : never
    : never

type Absent<Min> = Min extends 0 ? Record<never, never> : never

type FieldsOf<Part extends Particle> = Part extends Signatures
  ? unknown
  : Part extends Element
    ? ElementFields<Part>
    : Part extends Sequence
      ? Together<Part['parts']> | Absent<Part['min']>
      : Part extends Choice
        ? OneOf<Part['parts']> | Absent<Part['min']>
        : unknown

type AttributeFields<Given extends Attributes> = {
  readonly [Name in keyof Given as Given[Name] extends { fixed: string } | { min: 0 }
    ? never
    : KeyOf<Name & string>]: ValueOf<Given[Name]['type']>
} & {
  readonly [Name in keyof Given as Given[Name] extends { fixed: string }
    ? never
    : Given[Name] extends { min: 0 }
      ? KeyOf<Name & string>
      : never]?: ValueOf<Given[Name]['type']> | undefined
}

/** The value of an element: text, `true` for an empty one, a list where a choice repeats, or the fields of its children. */
type ValueOf<Type> =
  Type extends Simple<infer Value>
    ? Value
    : Type extends Complex<infer Model, infer Given, infer Valued>
      ? ComplexValue<Model, Given, Valued>
      : never

type ComplexValue<Model, Given extends Attributes, Valued> =
  Valued extends Simple<infer Value>
    ? Flat<{ readonly valor: Value } & AttributeFields<Given>>
    : Model extends Particle
      ? Model extends { is: 'choice'; max: 'many'; parts: infer Parts extends readonly Particle[] }
        ? readonly OneOf<Parts>[]
        : Flat<FieldsOf<Model> & AttributeFields<Given>>
      : keyof Given extends never
        ? true
        : Flat<AttributeFields<Given>>

/** The input for one of several root elements. */
export type InputOf<Roots extends readonly Element[]> = OneOf<Roots>
