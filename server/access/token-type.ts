/** The two kinds of token: stored, or carrying itself. */
export type TokenType = 'service' | 'batch'

/** What a mount, or a token role, says about the kind of its tokens: the kind itself, or the one meant where none is asked for. */
export type TokenTypeSetting = TokenType | 'default-service' | 'default-batch'

/** The kind of a token: the setting decides, and leaves the choice to what is wanted if it is only a default. */
export function resolveTokenType(setting: TokenTypeSetting, wanted: TokenType | 'default' | ''): TokenType {
  if (setting === 'service' || setting === 'batch') return setting
  if (wanted === 'service' || wanted === 'batch') return wanted
  return setting === 'default-batch' ? 'batch' : 'service'
}
