// The server's interface: what it answers, or an ApiError that says why not.

export class ApiError extends Error {
  constructor(code, message, {field = null, status = 0, retry_s = 0} = {}) {
    super(message);
    Object.assign(this, {code, field, status, retry_s});
  }
}

const kAway = 'The server does not answer.';
let key = '';

// For servers that ask for one; it is not kept beyond the page.
export function setKey(value) {
  key = value;
}

async function ask(path, body, {accept = 'application/json', signal} = {}) {
  const headers = {Accept: accept};
  if (body) headers['Content-Type'] = 'application/json';
  if (key) headers.Authorization = `Bearer ${key}`;
  let answer;
  try {
    answer = await fetch(path, {method: body ? 'POST' : 'GET', headers, signal, cache: 'no-store',
                                body: body && JSON.stringify(body)});
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError('away', kAway);
  }
  if (!answer.ok) throw await failure(answer);
  return answer;
}

async function failure(answer) {
  const retry_s = Number(answer.headers.get('Retry-After')) || 0;
  const rest = {status: answer.status, retry_s};
  try {
    const {error} = await answer.json();
    return new ApiError(error.code, error.message, {...rest, field: error.field ?? null});
  } catch {
    return new ApiError('internal', `The server answered with status ${answer.status}.`, rest);
  }
}

export async function models() {
  return (await ask('/v1/models')).json();
}

export async function trace(request, signal) {
  return (await ask('/v1/trace', request, {signal})).json();
}

// The file that `request.format` asks for; its name is null where the server has none for it.
export async function exportFile(request) {
  const answer = await ask('/v1/extract', request, {accept: '*/*'});
  const [, name = null] = answer.headers.get('Content-Disposition')?.match(/filename="([\w.-]+)"/) ?? [];
  try {
    return {blob: await answer.blob(), name};
  } catch {
    throw new ApiError('away', kAway);
  }
}

export async function alive() {
  try {
    return (await fetch('/readyz', {cache: 'no-store'})).ok;
  } catch {
    return false;
  }
}

// Calls onTotal(sentences or null) once and onSentence for each, as they come.
export async function extract(request, {signal, onTotal, onSentence}) {
  const answer = await ask('/v1/extract', request, {accept: 'application/x-ndjson', signal});
  const total = Number(answer.headers.get('X-Diffie-Sentences') ?? NaN);
  onTotal(Number.isNaN(total) ? null : total);
  let count = 0;
  for await (const line of lines(answer.body)) {
    const sentence = parse(line);
    if (sentence.error && sentence.sentence === undefined) {
      throw new ApiError(sentence.error.code, sentence.error.message);
    }
    ++count;
    onSentence(sentence);
  }
  if (count < total) throw new ApiError('away', `The answer broke off: ${count} of ${total} sentences came.`);
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    throw new ApiError('away', 'The answer broke off in the middle of a sentence.');
  }
}

async function* lines(body) {
  // By hand: a TextDecoderStream forgets what it holds when the connection breaks.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    let chunk;
    try {
      chunk = await reader.read();
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new ApiError('away', kAway);
    }
    if (chunk.done) break;
    const parts = (rest + decoder.decode(chunk.value, {stream: true})).split('\n');
    rest = parts.pop();
    for (const part of parts) if (part) yield part;
  }
  if (rest.trim()) yield rest;
}
