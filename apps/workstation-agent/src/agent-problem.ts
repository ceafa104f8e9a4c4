/** A problem the user can fix; its message is one sentence. */
export class AgentProblem extends Error {
  override readonly name = 'AgentProblem'
}
