export {
  type AuthMatrix,
  authMatrix,
  type MatrixCaller,
  type MatrixCallers,
  type MatrixResult,
  type Refused,
} from './auth-matrix.ts'
export { consoleCallers, consoleMatrix } from './console-callers.ts'
export { deadKeys } from './dead-keys.ts'
export { anyOf, bearing, nothing, onlyReading, tampered } from './may.ts'
export { roleRoutes } from './role-routes.ts'
