// What does a JWT that is not valid end in? Apart from the verifier, so that who takes no JWTs need not load that.

/** Thrown for a token that is not valid; the message may be shown. */
export class InvalidJwt extends Error {
  override readonly name = 'JwtRefused';
}
