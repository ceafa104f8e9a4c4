import Type, { type TSchema } from 'typebox'

/** Every field of an answer may be null (pki-core facts 1, rule 5). */
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** A field that a client may leave out or send as null. */
export const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

export const Text = Type.String()
export const Flag = Type.Boolean()
export const Time = Type.String({ format: 'date-time' })

/** Bytes of an answer. */
export const Bytes = Type.String({ description: 'Base64 with padding.' })

/** Bytes of a request: standard base64 (pki-core facts 1, rule 2). */
export const bytesOf = (most: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: Math.ceil(most / 3) * 4,
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    description: `${description} Base64.`,
  })

/** What a subscription is chosen by, where an application belongs to several. */
export const subscriptionHeader = Type.Object({
  'X-Subscription': Type.Optional(Type.String({ description: 'Id of the subscription, for applications of several.' })),
})

/** What every operation may answer (spec 1 C, Endpoints): 400, 403 and 422 stand beside 401 in its description. */
export const always = ['InvalidRequest', 'Forbidden', 'EntityNotFound'] as const
