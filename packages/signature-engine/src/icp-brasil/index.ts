// ICP-Brasil, ready to use.
//
//   const judge = await icpBrasilJudge({ downloads: true })
//   const report = await validatePades(pdf, { judge, now: new Date() })
export { type IcpBrasilJudge, type IcpBrasilJudgeOptions, icpBrasilJudge } from './icp-brasil-judge.ts'
