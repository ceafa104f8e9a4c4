// Processes of our own sources, for tests whose promise is about processes: that they are killed, that they come at once.
//
//   const start = program(import.meta.url, `import { openStore } from '@chancela/service-kernel/store' …`)
//   const child = await start({ STORE_URL: url })
export { compile } from './compile.ts'
export { type CompiledFile, compileFile } from './compile-file.ts'
export { nextLine, type Program, program } from './program.ts'
export { type Disk, fillDisk, pathIn, startOnDisk } from './small-disk.ts'
