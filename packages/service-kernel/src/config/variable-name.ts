/** Every environment variable with this prefix is a setting of the suite; others are ignored. */
export const VARIABLE_PREFIX = 'CHANCELA__'

/** The object of the file, and the name in variables, whose settings apply to every service that has them. */
export const COMMON = 'common'

/** A service's name as variables write it: `batch-signer` is `BATCH_SIGNER`. */
export const serviceInVariable = (service: string): string => service.toUpperCase().replaceAll('-', '_')

/**
 * The variable that overrides a setting: `CHANCELA__BATCH_SIGNER__Http__Port`. Case does not matter when it is read.
 */
export const variableName = (service: string, path: readonly string[]): string =>
  VARIABLE_PREFIX + [serviceInVariable(service), ...path].join('__')
