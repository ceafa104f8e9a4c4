/** Reads the fields of a form; the first value of a name counts. */
export function formFields(body: Uint8Array | undefined): (name: string) => string | undefined {
  const fields = new URLSearchParams(body === undefined ? '' : Buffer.from(body).toString('utf8'))
  return (name) => fields.get(name) ?? undefined
}
