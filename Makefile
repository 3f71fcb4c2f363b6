SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

SOURCES := Package.swift Shared Services Tests
# The same for building and testing, or everything is compiled twice.
FLAGS := $(if $(CI),-Xswiftc -warnings-as-errors)

.PHONY: help build run test test-browser contract smoke chaos bench lint format secrets up clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## Build the release programs
	@scripts/install-packages build
	@swift build -c release

run: ## Start the board on this machine: PostgreSQL, broker, services
	@scripts/install-packages run
	@swift build -c release
	@exec "$$(swift build -c release --show-bin-path)/keijiban"

test: ## Run all tests
	@scripts/install-packages test
	@scripts/test $(FLAGS)

test-browser: ## Use the page in chromium, every screen of it (BROWSER="test_live --url http://127.0.0.1:8080")
	@scripts/install-packages test
	@swift build $(FLAGS)
	@Tests/Browser/browser $(BROWSER)

contract: ## Hold a live board against docs/openapi.yaml (CONTRACT="--seed 7 --seconds 300")
	@scripts/install-packages test
	@swift build $(FLAGS)
	@Tests/Contract/contract $(CONTRACT)

smoke: ## Play the story against the running board (KEIJIBAN_URL)
	@scripts/install-packages smoke
	@scripts/smoke

chaos: ## Kill processes of a board while eight people write, then count (CHAOS="--seconds 30 --kill-broker")
	@scripts/install-packages test
	@swift build -c release
	@Tests/Chaos/chaos $(CHAOS)

bench: ## Measure the board beside nginx and pgbench on this machine (BENCH="reads --seconds 10")
	@scripts/install-packages bench
	@swift build -c release
	@Tests/Bench/bench $(BENCH)

lint: ## Check format and house rules
	@swift format lint --strict --parallel --recursive $(SOURCES)
	@scripts/lint

format: ## Format the sources
	@swift format --in-place --parallel --recursive $(SOURCES)

secrets: ## Make the secrets that docker compose needs, once
	@scripts/compose-secrets

up: secrets ## Start the board in containers, and wait until it serves
	@docker compose up --build --wait

clean: ## Remove what was built; the board's data stays
	@rm -rf .build
