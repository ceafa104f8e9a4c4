// What is inside a file, shown and not judged.
//
//   const found = await inspect(bytes, { password: () => ask() })
//   console.log(inspectionText(found))
export { type InspectOptions, inspect } from './inspect.ts'
export { type Fact, type Inspected, type InspectedKind, inspectionText } from './inspected.ts'
