// A form as the service serves it: `GET /api/layouts/{version}/forms/{kind}`.

interface Named {
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly required: boolean
  readonly repeated: boolean
  /** The field of the request that fills this in. */
  readonly filledBy?: string
}

export interface ValueField extends Named {
  readonly kind: 'value'
  readonly input: 'text' | 'date' | 'number' | 'file' | 'address' | 'choice'
  readonly expects: string
  readonly patterns: readonly string[]
  readonly options?: readonly string[]
  readonly optionLabels?: readonly string[]
  readonly maxLength?: number
}

export interface FlagField extends Named {
  readonly kind: 'flag'
}

export interface GroupField extends Named {
  readonly kind: 'group'
  readonly fields: readonly Field[]
}

export interface ListField extends Named {
  readonly kind: 'list'
  readonly items: readonly Field[]
}

export interface ChoiceField {
  readonly kind: 'oneOf'
  readonly required: boolean
  readonly options: readonly (readonly Field[])[]
  readonly filledBy?: string
}

export type NamedField = ValueField | FlagField | GroupField | ListField
export type Field = NamedField | ChoiceField

export interface Variant {
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly at: string
  readonly fields: readonly Field[]
}

export interface LayoutForm {
  readonly kind: string
  readonly variants: readonly Variant[]
}
