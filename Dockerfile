# A small image of the program: what it links, a model, nothing else; no shell, no root.
#   docker build -t diffie .
#   docker run --rm -i diffie extract - < notes.txt
#   docker run --rm -v "$PWD:/data" diffie extract notes.txt
#   docker run --rm -p 127.0.0.1:8080:8080 diffie serve --address 0.0.0.0
FROM debian:12-slim AS build
WORKDIR /src
COPY scripts/install-deps.sh scripts/
RUN scripts/install-deps.sh libboost-dev
COPY . .
RUN cmake --preset package -DDIFFIE_LAB=OFF -DDIFFIE_SHARED=OFF \
    && cmake --build --preset package --target diffie_cli diffie_server_cli
# Models that go along, of those in models/.
ARG MODELS=small
RUN packaging/docker/image_tree.sh build/package /image $MODELS

FROM scratch
COPY --from=build /image /
# nobody; --user for files of one's own.
USER 65534:65534
WORKDIR /data
ENTRYPOINT ["/usr/bin/diffie"]
CMD ["--help"]
