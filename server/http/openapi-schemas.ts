const text = (description: string) => ({ type: 'string', description }) as const

/** What answers and refusals of an API have in common. */
export const sharedSchemas = {
  Envelope: {
    type: 'object',
    description: 'The envelope of every `/v1` response that has a body.',
    required: ['request_id', 'lease_id', 'renewable', 'lease_duration', 'data', 'wrap_info', 'warnings', 'auth'],
    properties: {
      request_id: text('Identifies the request in log and audit records.'),
      lease_id: text('The lease of the returned secret; empty if there is none.'),
      renewable: { type: 'boolean', description: 'Whether the lease can be renewed.' },
      lease_duration: { type: 'integer', description: 'Duration of the lease in seconds; 0 if there is none.' },
      data: { type: 'object', description: 'The requested data; empty if the result is in `auth`.' },
      wrap_info: { type: ['object', 'null'], description: 'The wrapping token, if the response is wrapped.' },
      warnings: { type: ['array', 'null'], items: { type: 'string' }, description: 'Warnings for the caller.' },
      auth: {
        type: ['object', 'null'],
        description: 'The token that a login or a token request returns.',
        properties: {
          client_token: text('The token.'),
          accessor: text('Identifies the token without giving access.'),
          policies: {
            type: 'array',
            items: { type: 'string' },
            description: 'The policies that apply to its requests.',
          },
          lease_duration: { type: 'integer', description: 'Seconds until it expires.' },
          renewable: { type: 'boolean', description: 'Whether it can be renewed.' },
        },
      },
      mount_type: text('Type of the mount that responded.'),
    },
  },
  Refusal: {
    type: 'object',
    description: 'The body of `/v1` errors.',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: { type: 'string' },
        description: 'Error messages; empty if nothing was found.',
      },
      data: { type: 'object', description: 'Details of a refused certificate, if enabled.' },
    },
  },
  Errors: {
    type: 'object',
    description: 'The body of `/api/v2` errors: lists all errors of a document at once.',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['status', 'title', 'detail'],
          properties: {
            status: text('HTTP status of the response.'),
            title: text('Kind of error; stable text.'),
            detail: text('Human-readable description of the error.'),
            code: text('Machine-readable error code.'),
            source: {
              type: 'object',
              description: 'Location of the error.',
              properties: {
                pointer: text('A JSON pointer into the document.'),
                parameter: text('The name of a query parameter.'),
              },
            },
          },
        },
      },
    },
  },
} as const
