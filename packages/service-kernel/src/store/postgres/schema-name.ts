/** The schema of a service: its name, with `-` as `_`. */
export function schemaOf(service: string): string {
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(service)) throw new Error(`"${service}" cannot name a PostgreSQL schema.`)
  return service.replaceAll('-', '_')
}
